import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Record formats in addition to JSON. */
export const NDJSON = 'application/x-ndjson';
export const CSV = 'text/csv';
export type Media = 'application/json' | typeof NDJSON | typeof CSV;

/** Response headers of a file of records: its media type, and the file name for saving. */
export const asFile = (media: typeof NDJSON | typeof CSV, name: string) => ({
  type: media === CSV ? `${CSV}; charset=utf-8; header=present` : media,
  disposition: `attachment; filename="${name}"`,
});

/** Returns the offered media type that an Accept header prefers; JSON if it names none of them. */
export function wantedMedia<Offered extends Media>(
  accept: string | undefined,
  offered: readonly Offered[],
): Offered | 'application/json' {
  const named = (accept ?? '').split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return { type, q: weight === undefined ? 1 : Number(weight.slice(2)) };
  });
  const wanted = named
    .filter(({ type, q }) => q > 0 && (type === 'application/json' || offered.some((one) => one === type)))
    .toSorted((one, other) => other.q - one.q)[0];
  return offered.find((one) => one === wanted?.type) ?? 'application/json';
}

/** Injects the Accept header into a handler; in OpenAPI the formats of the response document it. */
export const AcceptHeader = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string | undefined =>
    context.switchToHttp().getRequest<FastifyRequest>().headers.accept,
);
