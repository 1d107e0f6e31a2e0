import { afterAll, expect, it } from 'vitest';
import { Pipeline, PIPELINE_SETTINGS } from '#libs/database';
import { sql } from 'kysely';
import { acceptStatuses, deliveryOf, statusFor } from '#test/support/new-status';
import { Recipient } from '#test/support/recipient';
import { startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { TestSession } from '#test/support/test-session';
import { waitUntil } from '#test/support/wait-until';

const BACKLOG = 5_000;
/** Limit of index entries and rows that a step may read for one delivery: a few for each index. */
const MAX_ROWS_READ = 300;

const dispatcher = await startDispatcherInProcess();
/** One connection keeps its plans and reports its reads at once; further ones would report a second later. */

const pipeline = new Pipeline({ url: dispatcher.databaseUrl, poolSize: 1, settings: PIPELINE_SETTINGS });
const recipient = await Recipient.add(dispatcher, { max_concurrency: 10 });
const busy = await Recipient.add(dispatcher);
afterAll(async () => {
  await pipeline.close();
});

/** Accepts, fetches and records one delivery while others are pending. @returns rows read by each step */
async function deliverOne(paymentId: string): Promise<Record<string, number>> {
  const session = await TestSession.open(pipeline, recipient.id);
  const event = statusFor(recipient.id, { paymentId });
  const steps: Record<string, () => Promise<unknown>> = {
    accept: () => acceptStatuses(pipeline, event),
    fetch: () => session.fetch(1),
    record: () => session.record(deliveryOf(event), { state: 'delivered' }),
  };
  const reads: Record<string, number> = {};
  for (const [step, run] of Object.entries(steps)) {
    const before = await rowsRead();
    await run();
    reads[step] = (await rowsRead()) - before;
  }
  return reads;
}

/** The steps that read more than a few rows, or none, which would be a fault of the count. */
const unexpected = (reads: Record<string, number>) =>
  Object.entries(reads).filter(([, rows]) => rows === 0 || rows > MAX_ROWS_READ);

async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(pipeline.db);
  const { rows } = await sql<{ n: number }>`
    select (select sum(idx_tup_read) from pg_stat_user_indexes)::int
         + (select sum(seq_tup_read) from pg_stat_user_tables)::int as n`.execute(pipeline.db);
  return rows[0]?.n ?? 0;
}

/**
 * Removes dead rows from the indexes, where they would be counted as read, and keeps the table's pages. Vacuum cannot
 * remove a row that another transaction may still read.
 */
async function vacuumDeadRows(): Promise<void> {
  await waitUntil(
    async () => {
      await sql`vacuum (analyze, truncate off) pending_deliveries`.execute(pipeline.db);
      const { rows } = await sql<{ dead: number }>`
        select n_dead_tup::int as dead from pg_stat_user_tables where relname = 'pending_deliveries'`.execute(
        pipeline.db,
      );
      return rows[0]?.dead === 0;
    },
    { what: 'vacuum to remove all dead rows of pending_deliveries' },
  );
}

/** Adds due deliveries of `busy` and later ones of `recipient`; each has its own payment. */
async function addBacklog(count: number): Promise<void> {
  await sql`
    with event as (
      insert into events (id, event_type, payment_id, number, status, event_at, producer, body, consumer_ids, delivery_ids)
      select uuidv7(), 'ach.status', 'backlog-' || n, 1, 'PENDING', now(), 'hub', '{}', array[${busy.id}::uuid], '{}'
      from generate_series(1, ${count}::int) n
      returning id, payment_id
    )
    insert into pending_deliveries (id, event_id, consumer_id, event_type, payment_id, number, next_attempt_at)
    select uuidv7(), e.id, c.id, 'ach.status', e.payment_id, 1, c.due
    from event e cross join (values (${busy.id}::uuid, now()), (${recipient.id}::uuid, now() + interval '1 hour')) c (id, due)`.execute(
    pipeline.db,
  );
}

it('a plan made while the tables are empty reads no backlog that is added later', async () => {
  await sql`vacuum analyze`.execute(pipeline.db);
  // The connection makes its plans here and keeps them.
  await deliverOne('first');
  await addBacklog(BACKLOG);
  const reads = await deliverOne('behind the backlog');
  expect(unexpected(reads)).toEqual([]);
});

it('a plan made after all pending deliveries are deleted reads no backlog that is added later', async () => {
  await sql`delete from pending_deliveries`.execute(pipeline.db);
  await vacuumDeadRows();
  await deliverOne('second');
  await addBacklog(BACKLOG);
  const reads = await deliverOne('behind the next backlog');
  expect(unexpected(reads)).toEqual([]);
});

it.each(['analyze', 'vacuum analyze'])('a plan made during a backlog does not read it (%s)', async (how) => {
  await sql.raw(how).execute(pipeline.db);
  const reads = await deliverOne(`among the backlog, ${how}`);
  expect(unexpected(reads)).toEqual([]);
});
