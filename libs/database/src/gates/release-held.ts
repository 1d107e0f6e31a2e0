import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../connection.js';
import { lookedUp } from '../by-primary-key.js';
import { prepared } from '../prepared.js';
import { integers, uuids } from '../columns.js';
import { ANY_AT_GATE, OUT, WINDOW } from './window.js';

/** A delivery that was released at its consumer's gate; its round makes a job id that the queue has not seen. */
export interface ReleasedAtGate {
  readonly deliveryId: string;
  readonly consumerId: string;
  readonly round: number;
}

export interface Freed {
  readonly released: readonly ReleasedAtGate[];
  /** Those of the consumers whose health a success would change. */
  readonly ailing: ReadonlySet<string>;
}

interface ReleasedRow {
  id: string;
  consumer_id: string;
  round: number;
}

/** What a consumer's gate must be for its held deliveries to move. */
const GATE_IS_OPEN = sql`c.deleted_at is null and c.state = 'active' and g.circuit_opened_at is null
  and g.secret_fault is null and not exists (select from dispatcher_state s where s.paused_at is not null)`;

/** The earliest due first; a row that somebody else is changing is left to him. */
const RELEASE_MOVE: RawBuilder<unknown> = sql`
  update open_deliveries d
  set state = 'queued', hold_reason = null, round = d.round + 1, next_attempt_at = now()
  from move m cross join lateral (
    select o.id from open_deliveries o
    where o.consumer_id = m.consumer_id and o.state = 'held' and o.hold_reason <> 'order' and m.slots > 0
    order by o.next_attempt_at, o.id limit greatest(m.slots, 0) for no key update skip locked
  ) next
  where ${lookedUp('d.id', 'next.id')}
  returning d.id, d.consumer_id, d.round`;

/**
 * For each attempt that has ended, whatever held it, the next of the same consumer goes: so a backlog moves at the
 * pace at which its consumer takes it, however long it is, and the queue holds no more than a window of it.
 *
 * Runs after **record** has committed, and whoever puts deliveries on hold at a gate calls `topUp` after *its*
 * commit: each looks after it has written, so at least one of the two sees the other, and nothing is left behind.
 */
export async function releaseForFreed(
  db: Database,
  freed: readonly { readonly consumerId: string; readonly slots: number }[],
): Promise<Freed> {
  const { rows } = await sql<{ ailing: string[]; released: ReleasedRow[] }>`
    ${prepared('release-for-freed')}
    with freed as (
      select * from unnest(${uuids(freed, (f) => f.consumerId)}, ${integers(freed, (f) => f.slots)})
        as f (consumer_id, slots)
    ),
    move as (
      select f.consumer_id, f.slots from freed f
      join consumers c on c.id = f.consumer_id join consumer_gates g on g.consumer_id = c.id
      where ${GATE_IS_OPEN}
    ),
    released as (${RELEASE_MOVE})
    select array(select g.consumer_id::text from consumer_gates g
                 where g.consumer_id = any (select consumer_id from freed)
                   and (g.failures > 0 or g.circuit_opened_at is not null)) as ailing,
           coalesce((select json_agg(released) from released), '[]') as released`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the release statement always answers one row');
  return { ailing: new Set(row.ailing), released: row.released.map(toReleased) };
}

/**
 * Fills the window of each consumer that has deliveries on hold at an open gate: so many that, with those that are
 * being sent or are in the queue, its `maxConcurrency` could all be used. Bounded steps: `releaseForFreed` goes on
 * from there. Safe at any time, since **take** admits no more than the limits allow.
 *
 * @param consumerIds those to look at; undefined: every consumer with anything on hold.
 */
export async function topUp(
  db: Database,
  consumerIds: readonly string[] | undefined,
): Promise<ReleasedAtGate[]> {
  const chosen = consumerIds === undefined ? ANY_AT_GATE : sql`c.id = any (${consumerIds}::uuid[])`;
  const { rows } = await sql<ReleasedRow>`
    ${prepared('top-up')}
    with move as materialized (
      select c.id as consumer_id, ${WINDOW} - ${OUT} as slots
      from consumers c join consumer_gates g on g.consumer_id = c.id
      where ${chosen} and ${GATE_IS_OPEN}
    ),
    released as (${RELEASE_MOVE})
    select id, consumer_id, round from released`.execute(db);
  return rows.map(toReleased);
}

/**
 * Sends one held delivery of each consumer whose circuit is open and whose probe is due on its way: the one that has
 * waited longest, which a failed probe puts at the end, so that one bad payload cannot keep a circuit open.
 * Nothing while one of the consumer's is on its way already: it will be the probe.
 */
export async function releaseForProbes(db: Database): Promise<ReleasedAtGate[]> {
  const { rows } = await sql<ReleasedRow>`
    with move as materialized (
      select c.id as consumer_id, 1 as slots from consumers c join consumer_gates g on g.consumer_id = c.id
      where g.next_probe_at <= now() and c.deleted_at is null and c.state = 'active' and g.secret_fault is null
        and not exists (select from dispatcher_state s where s.paused_at is not null)
        and not exists (select from open_deliveries d
                        where d.consumer_id = c.id and d.state = 'queued' and d.next_attempt_at <= now())
    ),
    released as (${RELEASE_MOVE})
    select id, consumer_id, round from released`.execute(db);
  return rows.map(toReleased);
}

const toReleased = (row: ReleasedRow): ReleasedAtGate => ({
  deliveryId: row.id,
  consumerId: row.consumer_id,
  round: row.round,
});
