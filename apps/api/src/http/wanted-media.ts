import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The formats of records in addition to JSON. */
export const NDJSON = 'application/x-ndjson';
export const CSV = 'text/csv';
export type Media = 'application/json' | typeof NDJSON | typeof CSV;

/** How a file of records in this format is answered: its type, and the name to save it by. */
export const asFile = (media: typeof NDJSON | typeof CSV, name: string) => ({
  type: media === CSV ? `${CSV}; charset=utf-8; header=present` : media,
  disposition: `attachment; filename="${name}"`,
});

/** The media type that an Accept header wants most of those that are offered; JSON when it says nothing of them. */
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

/** Hands the Accept header to a handler; OpenAPI names it by the formats of the answer. */
export const AcceptHeader = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string | undefined =>
    context.switchToHttp().getRequest<FastifyRequest>().headers.accept,
);
