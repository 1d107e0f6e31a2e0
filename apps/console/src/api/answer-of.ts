import type { Schema } from './schema';
import { ProblemError } from './problem-error';

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * What a call was answered with.
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
