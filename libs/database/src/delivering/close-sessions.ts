import { bigints, floats, uuids } from '../columns.js';
import type { Statement, Statements } from '../connection.js';

export interface EndingSession {
  readonly consumerId: string;
  readonly session: number;
  /** Milliseconds until `maxPerSecond` allows the next request; null without such a limit. */
  readonly nextSendInMs: number | null;
  /** Milliseconds since the consumer's last success in this session, if it had one. */
  readonly succeededMsAgo?: number | null;
}

/** Result of closing an idle session. */
export type Closed =
  /** A delivery is due, so the session continues. */
  | { readonly kind: 'stays' }
  /** `wakeInMs`: time until the consumer has something to do; null: not before an event or an operator's change. */
  | { readonly kind: 'closed'; readonly wakeInMs: number | null };

const CLOSE: Statement = {
  name: 'close',
  text: '/* close */ select * from close_sessions($1::uuid[], $2::bigint[], $3::float8[], $4::float8[])',
};

/** Closes idle sessions in one message; see the function `close_sessions`. @returns one result a session, in order */
export async function closeSessions(
  pipeline: Statements,
  sessions: readonly EndingSession[],
): Promise<Closed[]> {
  const rows = await pipeline.query<{ consumer_id: string; closed: boolean; wake_in_ms: number | null }>(
    CLOSE,
    [
      uuids.binary(sessions, (s) => s.consumerId),
      bigints.binary(sessions, (s) => s.session),
      floats.binary(sessions, (s) => s.nextSendInMs),
      floats.binary(sessions, (s) => s.succeededMsAgo ?? null),
    ],
  );
  const found = new Map(rows.map((row) => [row.consumer_id, row]));
  return sessions.map(({ consumerId }) => {
    const row = found.get(consumerId);
    return row !== undefined && !row.closed
      ? { kind: 'stays' }
      : { kind: 'closed', wakeInMs: row?.wake_in_ms ?? null };
  });
}
