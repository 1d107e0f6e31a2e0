import { setTimeout as pause } from 'node:timers/promises';
import { RefusedError, UnavailableError, type Producer, type StatusChange } from '#packages/client';
import type { Logger } from 'pino';
import { eventOf, idempotencyKeyOf, type KafkaRecord, type Refusal } from './record.js';

/** The dispatcher refuses every request: the key or the address is wrong. */
export class ConfigurationRefusedError extends Error {
  override readonly name = 'ConfigurationRefusedError';
}

export interface Posting {
  readonly producer: Pick<Producer, 'post'>;
  /** Ends the wait for answers. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Before undecided records are posted again, in ms; the client has repeated them for a minute before. */
  readonly againAfterMs?: number;
}

interface Refused {
  readonly record: KafkaRecord;
  readonly refusal: Refusal;
}

/**
 * Posts records in their order, as often as necessary, until each is accepted or refused. When a request fails for good,
 * the client fails all events behind it, too: the undecided records are the last ones, and keep their order.
 * @returns the refused records; null when the signal came before every answer
 * @throws ConfigurationRefusedError
 */
export async function postRecords(
  records: readonly KafkaRecord[],
  topicIds: ReadonlyMap<string, string>,
  { producer, signal, logger, againAfterMs = 5_000 }: Posting,
): Promise<readonly Refused[] | null> {
  const refused: Refused[] = [];
  const post = async (record: KafkaRecord, event: StatusChange) => {
    const idempotencyKey = idempotencyKeyOf(record, topicIds.get(record.topic) ?? '');
    return { record, event, answer: await answerTo(producer.post(event, { idempotencyKey, signal })) };
  };
  let open = records.flatMap((record) => {
    const event = eventOf(record);
    if (event === null) refused.push({ record, refusal: NOT_JSON });
    return event === null ? [] : [{ record, event }];
  });
  while (open.length > 0) {
    const posted = await Promise.all(open.map(({ record, event }) => post(record, event)));
    open = posted.filter(({ answer }) => answer instanceof UnavailableError);
    for (const { record, answer } of posted)
      if (answer !== null && !(answer instanceof UnavailableError)) refused.push({ record, refusal: answer });
    if (open.length === 0) break;
    if (signal.aborted) return null;
    const reason = posted
      .map(({ answer }) => answer)
      .find((answer) => answer instanceof UnavailableError)?.message;
    logger.warn({ undecided: open.length, reason }, 'kafka.dispatcher_unavailable');
    await pause(againAfterMs, undefined, { signal }).catch(() => undefined);
  }
  return refused;
}

const NOT_JSON: Refusal = { reason: 'not-json', detail: 'The value is not a JSON object.', errors: [] };

/** @returns null when it is accepted */
async function answerTo(post: ReturnType<Producer['post']>): Promise<null | UnavailableError | Refusal> {
  try {
    await post;
    return null;
  } catch (error) {
    if (error instanceof UnavailableError) return error;
    if (!(error instanceof RefusedError)) throw error;
    if (error.scope === 'request') throw new ConfigurationRefusedError(error.detail);
    return { reason: 'refused', detail: error.detail, errors: error.errors };
  }
}
