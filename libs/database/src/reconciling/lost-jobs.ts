import { sql } from 'kysely';
import type { Database } from '../connection.js';

/** A delivery that should have a job in the queue. */
export interface DueDelivery {
  readonly deliveryId: string;
  readonly round: number;
  /** Until it is due; zero or less when it is. */
  readonly dueInMs: number;
}

interface Row {
  id: string;
  round: number;
  due_in_ms: number;
}

const DUE = sql.raw(`id, round, (extract(epoch from next_attempt_at - now()) * 1000)::float8 as due_in_ms`);

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

/** Deliveries whose worker died: the lease ran out. Their job may be lost with it; `take` accepts them as they are. */
export async function leasesRunOut(db: Database, limit: number): Promise<DueDelivery[]> {
  const { rows } = await sql<Row>`
    select d.* from consumers c
    cross join lateral (
      select ${DUE} from open_deliveries o
      where o.consumer_id = c.id and o.state = 'sending' and o.lease_until < now()
      order by o.lease_until limit ${limit}::int
    ) d
    limit ${limit}::int`.execute(db);
  return rows.map(toDue);
}

/** Everything that must have a job, in pages by id: for a queue that was emptied. */
export async function queuedAfter(
  db: Database,
  after: string | undefined,
  limit: number,
): Promise<DueDelivery[]> {
  const { rows } = await sql<Row>`
    select ${DUE} from open_deliveries
    where state = 'queued' and ${after === undefined ? sql`true` : sql`id > ${after}::uuid`}
    order by id limit ${limit}::int`.execute(db);
  return rows.map(toDue);
}

const toDue = (row: Row): DueDelivery => ({ deliveryId: row.id, round: row.round, dueInMs: row.due_in_ms });
