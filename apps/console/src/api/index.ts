import { createClient, type components, type paths } from '#packages/client';

/** The api that served this page; the browser adds the session. */
export const api = createClient({ baseUrl: window.location.origin });

/** A shape of the interface by its name in the OpenAPI document, e.g. `Schema<'DeliveryDto'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The query of a list, e.g. `ListQuery<'/v1/deliveries'>`. */
export type ListQuery<Path extends keyof paths> = paths[Path] extends {
  get: { parameters: { query?: infer Query } };
}
  ? NonNullable<Query>
  : never;

/** The api's refusal, or its internal error: a problem (RFC 9457). */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** Every field that breaks a rule. */
  readonly errors: readonly { readonly field: string; readonly message: string }[];
  /** Finds the request in the logs; null when a proxy answered in the api's place. */
  readonly requestId: string | null;
  /** How many deliveries match, where more do than were expected; null when they could not be counted. */
  readonly matched: number | null | undefined;

  constructor(status: number, problem: Partial<Schema<'ProblemDto'>>) {
    super(problem.detail ?? `The answer was an error without an explanation (HTTP ${String(status)}).`);
    this.status = status;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId ?? null;
    this.matched = problem.matched;
  }
}

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The content of a call's answer.
 * @throws ProblemError for an error status; TypeError of `fetch` when no answer came
 */
export async function answerOf<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (data !== undefined) return data;
  throw new ProblemError(response.status, problemIn(error));
}

/** The same for a call that is answered without content. */
export async function doneBy(call: Promise<Answer<unknown>>): Promise<void> {
  const { error, response } = await call;
  if (!response.ok) throw new ProblemError(response.status, problemIn(error));
}

const problemIn = (error: unknown): Partial<Schema<'ProblemDto'>> =>
  typeof error === 'object' && error !== null ? error : {};
