import type { DispatcherClient } from './create-client.js';
import type { Refusal } from './errors.js';
import type { components } from './openapi.js';
import type { PendingEvent } from './pending-event.js';
import { retryAfterMs } from './retry-delay.js';

type Problem = Partial<components['schemas']['ProblemDto']>;
export type ItemResult = components['schemas']['BatchItemResultDto'];

/** What one request achieved. */
export type BatchOutcome =
  /** Every event of the batch has a result, in the order of the batch. */
  | { readonly kind: 'answered'; readonly results: readonly ItemResult[] }
  /** The request was refused as a whole, and would be refused again. */
  | { readonly kind: 'refused'; readonly refusal: Omit<Refusal, 'scope'> }
  /** Nothing is known of the events. The same request can be sent again, after `retryAfterMs`. */
  | { readonly kind: 'undecided'; readonly cause: Error; readonly retryAfterMs: number };

/** Answers that the same request may not get again (RFC 9110, RFC 8470 for 425, RFC 6585 for 429). */
const RETRIED: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const ACCEPTED = 202;

/**
 * Sends one `POST /v1/events/batch`. Never rejects: a failure to send is an outcome.
 * @param timeoutMs for the whole exchange, the body of the answer included
 */
export async function postBatch(
  client: DispatcherClient,
  events: readonly PendingEvent[],
  timeoutMs: number,
): Promise<BatchOutcome> {
  try {
    const { data, error, response } = await client.POST('/v1/events/batch', {
      body: { events: events.map(({ change }) => change) },
      // The texts of the moment of `post`, which do not change between two tries.
      bodySerializer: () => batchText(events),
      // A redirect would repeat the body, or drop it, at an address that nobody configured.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status === ACCEPTED) return { kind: 'answered', results: resultsIn(data, events.length) };
    const problem = problemIn(error);
    if (!RETRIED.has(response.status)) return { kind: 'refused', refusal: refusalOf(response, problem) };
    return {
      kind: 'undecided',
      cause: new Error(detailOf(response, problem)),
      retryAfterMs: retryAfterMs(response.headers.get('retry-after'), Date.now()),
    };
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error));
    return { kind: 'undecided', cause, retryAfterMs: 0 };
  }
}

/** Length of the body without its events and the commas between them. */
export const ENCLOSING_BYTES = '{"events":[]}'.length;
const batchText = (events: readonly PendingEvent[]): string =>
  `{"events":[${events.map(({ text }) => text).join(',')}]}`;

/** @throws when it is not an answer of the api to this request, e.g. an answer of a proxy, or one that was cut */
function resultsIn(
  data: components['schemas']['BatchResultDto'] | undefined,
  count: number,
): readonly ItemResult[] {
  const results = data?.results ?? [];
  const isComplete = results.every(
    ({ index, status, notificationId }, at) =>
      index === at && (status === 'rejected' || notificationId !== undefined),
  );
  if (results.length !== count || !isComplete)
    throw new Error(`The answer 202 does not have the results of the ${String(count)} posted events.`);
  return results;
}

const refusalOf = (response: Response, problem: Problem): Omit<Refusal, 'scope'> => ({
  status: response.status,
  detail: detailOf(response, problem),
  errors: problem.errors ?? [],
  requestId: problem.requestId ?? null,
});

const detailOf = ({ status }: Response, { detail }: Problem): string =>
  `HTTP ${String(status)}: ${detail ?? 'The answer has no explanation; a proxy may have answered.'}`;

const problemIn = (error: unknown): Problem => (typeof error === 'object' && error !== null ? error : {});
