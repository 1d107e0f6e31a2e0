import type { Schema } from './schema';

/** The api's refusal, or its own fault: a problem (RFC 9457). */
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
