import type { EventType } from '#libs/contracts';
import { bigints, floats, integers, texts, uuids } from '../connection/columns.js';
import type { Statement, Statements } from '../connection/connection.js';

/** A session that a worker leaves: it has no work, or goes to another worker. */
export interface LeavingSession {
  readonly consumerId: string;
  readonly session: number;
  /** Milliseconds until `maxPerSecond` allows the next request; null without such a limit. */
  readonly nextSendInMs: number | null;
  /** Milliseconds since the consumer's last success in this session; null if it had none. */
  readonly succeededMsAgo: number | null;
  /** Requests that may have been sent and are not recorded yet. */
  readonly sent: readonly SentRequest[];
}

/** A request in flight while its session is left. */
export interface SentRequest {
  readonly deliveryId: string;
  readonly eventType: EventType;
  /** Null: no status of a payment waits for it. */
  readonly paymentId: string | null;
  /** The delivery's recorded attempts when it was fetched. */
  readonly attempts: number;
  /** Milliseconds within which the answer is recorded, unless this worker dies. */
  readonly holdMs: number;
}

const LEAVE: Statement = {
  name: 'leave',
  text: '/* leave */ select leave_sessions($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
};

/** Leaves sessions in one message, without waiting for their requests; see the function `leave_sessions`. */
export async function leaveSessions(
  pipeline: Statements,
  sessions: readonly LeavingSession[],
): Promise<void> {
  const sent = sessions.flatMap(({ consumerId, sent: requests }) =>
    requests.map((request) => ({ ...request, consumerId })),
  );
  await pipeline.query(LEAVE, [
    uuids.binary(sessions, (s) => s.consumerId),
    bigints.binary(sessions, (s) => s.session),
    floats.binary(sessions, (s) => s.nextSendInMs),
    floats.binary(sessions, (s) => s.succeededMsAgo),
    uuids.binary(sent, (r) => r.deliveryId),
    uuids.binary(sent, (r) => r.consumerId),
    texts.binary(sent, (r) => r.eventType),
    texts.binary(sent, (r) => r.paymentId),
    integers.binary(sent, (r) => r.attempts),
    floats.binary(sent, (r) => r.holdMs),
  ]);
}
