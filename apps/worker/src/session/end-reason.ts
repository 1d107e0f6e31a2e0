/** Why a session fetches no more deliveries. */
export type EndReason =
  /** Another worker has opened a session of the consumer. */
  | 'fenced'
  /** BullMQ may have given the job to another worker. */
  | 'lock_lost'
  /** PostgreSQL has not confirmed the session for as long as its lock lasts: another worker may be able to deliver. */
  | 'unconfirmed'
  /** PostgreSQL has no such consumer: the job is from another installation, or from before a restore. */
  | 'unknown'
  /** Another consumer or another worker waits for the session. */
  | 'yields'
  /** The process stops. */
  | 'stops';

/** After these nothing that this worker knows of the consumer holds any more. The others end a session in order. */
export const LOSES_CONSUMER: ReadonlySet<EndReason | null> = new Set(['fenced', 'lock_lost', 'unconfirmed']);

/** A request must not be sent any more. Nothing was sent, and no attempt is spent. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}
