import type { EventType } from '#libs/contracts';
import { sql } from 'kysely';
import { texts, uuids } from '../columns.js';
import type { Database } from '../connection.js';
import { lookedUp } from '../by-primary-key.js';
import { prepared } from '../prepared.js';

/** One consumer's open deliveries of one payment. */
export interface Lane {
  readonly consumerId: string;
  readonly eventType: EventType;
  readonly paymentId: string;
}

/** A delivery that may be sent now; its round makes a job id that the queue has not seen. */
export interface Released extends Lane {
  readonly deliveryId: string;
  readonly round: number;
}

export interface ReleasedNext {
  readonly released: readonly Released[];
  /** False: one was finished by somebody else meanwhile, and who is next in its lane must be asked again. */
  readonly isSettled: boolean;
}

/**
 * Releases, in each lane, the earliest open delivery if it is held for order. Runs in the transaction that
 * finished its predecessor, as a statement of its own: a statement's snapshot is older than the locks it
 * waited for, and would miss a delivery that **accept** put behind the predecessor meanwhile.
 *
 * The one to be released may itself be finished (cancelled) by another transaction that has not committed. The
 * update waits for it, then finds nothing; the question is then asked again with a new snapshot.
 */
export async function releaseNextInLane(db: Database, lanes: readonly Lane[]): Promise<Released[]> {
  const all: Released[] = [];
  for (;;) {
    const { released, isSettled } = await releaseNextOnce(db, lanes);
    all.push(...released);
    if (isSettled) return all;
  }
}

/** As `releaseNextInLane`, asked once. */
export async function releaseNextOnce(db: Database, lanes: readonly Lane[]): Promise<ReleasedNext> {
  if (lanes.length === 0) return { released: [], isSettled: true };
  const { rows } = await sql<{
    found: number;
    released: {
      id: string;
      round: number;
      consumer_id: string;
      event_type: EventType;
      payment_id: string;
    }[];
  }>`
    ${prepared('record-release')}
    with next as materialized (
      select o.id
      from (select distinct * from unnest(
              ${uuids(lanes, (l) => l.consumerId)}, ${texts(lanes, (l) => l.eventType)},
              ${texts(lanes, (l) => l.paymentId)}) as l (consumer_id, event_type, payment_id)) lane
      cross join lateral (
        select o.id, o.state, o.hold_reason from open_deliveries o
        where o.consumer_id = lane.consumer_id and o.event_type = lane.event_type and o.payment_id = lane.payment_id
        order by o.number, o.id limit 1
      ) o
      where o.state = 'held' and o.hold_reason = 'order'
    ),
    released as (
      update open_deliveries d
      set state = 'queued', hold_reason = null, round = d.round + 1, next_attempt_at = now()
      from next where ${lookedUp('d.id', 'next.id')} and d.state = 'held' and d.hold_reason = 'order'
      returning d.id, d.round, d.consumer_id, d.event_type, d.payment_id
    )
    select (select count(*)::int from next) as found,
           coalesce((select json_agg(released) from released), '[]') as released`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the release statement always answers one row');
  return {
    released: row.released.map((released) => ({
      deliveryId: released.id,
      round: released.round,
      consumerId: released.consumer_id,
      eventType: released.event_type,
      paymentId: released.payment_id,
    })),
    isSettled: row.found === row.released.length,
  };
}
