import { sql } from 'kysely';
import type { Database } from '../connection.js';

/** A delivery that should have a job in the queue. */
export interface DueDelivery {
  readonly deliveryId: string;
  readonly consumerId: string;
  readonly round: number;
  /** Until it is due; zero or less when it is. */
  readonly dueInMs: number;
}

interface Row {
  id: string;
  consumer_id: string;
  round: number;
  due_in_ms: number;
}

const DUE = sql.raw(
  `id, consumer_id, round, (extract(epoch from next_attempt_at - now()) * 1000)::float8 as due_in_ms`,
);

/**
 * The reconciler's questions. Each is answered consumer by consumer from an index that holds nothing but the rows in
 * question, so that a sweep costs what is wrong (and a look at each consumer), not what is held or was delivered.
 */

/**
 * Queued deliveries that are overdue by more than `graceMs`, the oldest of each consumer: their job may be lost. One
 * whose job merely waits its turn in a long queue keeps it.
 */
export async function overdue(
  db: Database,
  options: { readonly graceMs: number; readonly ofEach: number; readonly limit: number },
): Promise<DueDelivery[]> {
  const { rows } = await sql<Row>`
    select d.* from consumers c
    cross join lateral (
      select ${DUE} from open_deliveries o
      where o.consumer_id = c.id and o.state = 'queued'
        and o.next_attempt_at < now() - ${options.graceMs}::int * interval '1 millisecond'
      order by o.next_attempt_at, o.id limit ${options.ofEach}::int
    ) d
    order by d.due_in_ms limit ${options.limit}::int`.execute(db);
  return rows.map(toDue);
}

/** Deliveries whose worker died: the lease ran out. They have no job any more; `take` accepts them as they are. */
export async function leasesRunOut(db: Database, limit: number): Promise<DueDelivery[]> {
  const { rows } = await sql<Row>`
    select ${DUE} from open_deliveries
    where state = 'sending' and lease_until < now()
    limit ${limit}::int`.execute(db);
  return rows.map(toDue);
}

/** A page of everything that must have a job. */
export interface QueuedPage {
  readonly deliveries: readonly DueDelivery[];
  /** Where the next page begins; null after the last. */
  readonly next: PlaceInQueue | null;
}

export interface PlaceInQueue {
  readonly consumerId: string;
  /** As PostgreSQL writes it, to the microsecond. */
  readonly nextAttemptAt: string;
  readonly deliveryId: string;
}

/** Everything that must have a job, in pages along the index: for a queue that was emptied. */
export async function queuedFrom(
  db: Database,
  place: PlaceInQueue | null,
  limit: number,
): Promise<QueuedPage> {
  const beyond =
    place === null
      ? sql`true`
      : sql`(consumer_id, next_attempt_at, id) >
            (${place.consumerId}::uuid, ${place.nextAttemptAt}::timestamptz, ${place.deliveryId}::uuid)`;
  const { rows } = await sql<Row & { next_attempt_at: string }>`
    select ${DUE}, next_attempt_at::text from open_deliveries
    where state = 'queued' and ${beyond}
    order by consumer_id, next_attempt_at, id limit ${limit}::int`.execute(db);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return {
    deliveries: rows.map(toDue),
    next:
      last === undefined
        ? null
        : { consumerId: last.consumer_id, nextAttemptAt: last.next_attempt_at, deliveryId: last.id },
  };
}

const toDue = (row: Row): DueDelivery => ({
  deliveryId: row.id,
  consumerId: row.consumer_id,
  round: row.round,
  dueInMs: row.due_in_ms,
});
