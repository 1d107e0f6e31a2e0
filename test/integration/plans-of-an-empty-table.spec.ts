import { afterAll, beforeAll, expect, it } from 'vitest';
import { Pipeline, PIPELINE_SETTINGS } from '#libs/database';
import { sql } from 'kysely';
import { deliveryOf, statusFor } from '#test/support/bare-consumer';
import { acceptStatuses } from '#test/support/new-status';
import { Recipient } from '#test/support/recipient';
import { startDispatcherInProcess, type DispatcherInProcess } from '#test/support/dispatcher-in-process';
import { TestSession } from '#test/support/test-session';
import { waitUntil } from '#test/support/wait-until';

const BACKLOG = 5_000;
/** Index entries and rows that a statement may come by for one delivery: some for each of its indexes. */
const FEW = 300;

let dispatcher: DispatcherInProcess;
let busy: Recipient;
let recipient: Recipient;
/** One connection, which keeps its plans, and says at once what it has read: others say so a second later. */
let pipeline: Pipeline;

beforeAll(async () => {
  dispatcher = await startDispatcherInProcess();
  pipeline = new Pipeline({ url: dispatcher.databaseUrl, poolSize: 1, settings: PIPELINE_SETTINGS });
  recipient = await Recipient.add(dispatcher, { max_concurrency: 10 });
  busy = await Recipient.add(dispatcher);
});
afterAll(async () => {
  await pipeline.close();
  await dispatcher.close();
});

/** One delivery from its acceptance to its end, beside whatever else is pending. @returns rows read by each step */
async function oneByOne(paymentId: string): Promise<Record<string, number>> {
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
  Object.entries(reads).filter(([, rows]) => rows === 0 || rows > FEW);

async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(pipeline.db);
  const { rows } = await sql<{ n: number }>`
    select (select sum(idx_tup_read) from pg_stat_user_indexes)::int
         + (select sum(seq_tup_read) from pg_stat_user_tables)::int as n`.execute(pipeline.db);
  return rows[0]?.n ?? 0;
}

/**
 * Takes dead rows out of the indexes, where they would be counted as read, and leaves the table's pages. They stay while
 * anybody else still looks at them.
 */
async function forgetTheDead(): Promise<void> {
  await waitUntil(
    async () => {
      await sql`vacuum (analyze, truncate off) pending_deliveries`.execute(pipeline.db);
      const { rows } = await sql<{ dead: number }>`
        select n_dead_tup::int as dead from pg_stat_user_tables where relname = 'pending_deliveries'`.execute(
        pipeline.db,
      );
      return rows[0]?.dead === 0;
    },
    { what: 'nobody to look at deleted rows' },
  );
}

/** A backlog: due deliveries of another consumer, and later ones of the same, each of a payment of its own. */
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

it('a plan that was made while the tables were empty reads no backlog that came later', async () => {
  await sql`vacuum analyze`.execute(pipeline.db);
  // Makes the plans, which are kept.
  await oneByOne('first');
  await addBacklog(BACKLOG);
  const reads = await oneByOne('behind the backlog');
  expect(unexpected(reads)).toEqual([]);
});

it('nor does one that was made when all that had been pending was gone', async () => {
  await sql`delete from pending_deliveries`.execute(pipeline.db);
  await forgetTheDead();
  await oneByOne('second');
  await addBacklog(BACKLOG);
  const reads = await oneByOne('behind the next backlog');
  expect(unexpected(reads)).toEqual([]);
});

it.each(['analyze', 'vacuum analyze'])('nor one that was made among the backlog (%s)', async (how) => {
  await sql.raw(how).execute(pipeline.db);
  const reads = await oneByOne(`among the backlog, ${how}`);
  expect(unexpected(reads)).toEqual([]);
});
