import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  openDatabase,
  PIPELINE_SETTINGS,
  record,
  releaseForFreed,
  take,
  topUp,
  type Database,
} from '#libs/database';
import { sql } from 'kysely';
import { Recipient, resultOf } from '#test/support/recipient';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';
import { waitUntil } from '#test/support/wait-until';

const HELD = 5_000;
/** Index entries and rows that a statement may come by for one delivery: some for each of its indexes. */
const FEW = 300;

let story: StoryInProcess;
let recipient: Recipient;
/** One connection, which keeps its plans, and tells at once what it has read: others tell a second later. */
let pipeline: Database;

beforeAll(async () => {
  story = await startStoryInProcess();
  pipeline = openDatabase({ url: story.databaseUrl, poolSize: 1, settings: PIPELINE_SETTINGS });
  Reflect.set(story.accept, 'db', pipeline);
  recipient = await Recipient.add(story, { max_concurrency: 10 });
});
afterAll(async () => {
  await pipeline.destroy();
  await story.close();
});

async function oneByOne(payment: string): Promise<Record<string, number>> {
  let deliveryId = '';
  const steps: Record<string, () => Promise<unknown>> = {
    accept: async () => (deliveryId = await recipient.accept(payment)),
    topUp: () => topUp(pipeline, [recipient.id]),
    take: async () => {
      [taken] = await take(pipeline, [deliveryId]);
    },
    record: async () => {
      if (taken?.kind !== 'taken') throw new Error(`not taken: ${JSON.stringify(taken)}`);
      await record(pipeline, [resultOf(taken, { state: 'delivered' })]);
    },
    releaseForFreed: () => releaseForFreed(pipeline, [{ consumerId: recipient.id, slots: 1 }]),
  };
  let taken: Awaited<ReturnType<typeof take>>[number] | undefined;
  const reads: Record<string, number> = {};
  for (const [step, run] of Object.entries(steps)) {
    // Behind a backlog it was put on hold.
    if (step === 'take')
      await sql`update open_deliveries set state = 'queued', hold_reason = null, held_since = null
                where id = ${deliveryId}`.execute(pipeline);
    const before = await rowsRead();
    await run();
    reads[step] = (await rowsRead()) - before;
  }
  return reads;
}

async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(pipeline);
  const { rows } = await sql<{ n: number }>`
    select (select sum(idx_tup_read) from pg_stat_user_indexes)::int
         + (select sum(seq_tup_read) from pg_stat_user_tables)::int as n`.execute(pipeline);
  return rows[0]?.n ?? 0;
}

/**
 * Takes dead rows out of the indexes, where they would be counted as read, and leaves the table's pages. They stay while
 * anybody else still looks at them.
 */
async function forgetTheDead(): Promise<void> {
  await waitUntil(
    async () => {
      await sql`vacuum (analyze, truncate off) open_deliveries`.execute(pipeline);
      const { rows } = await sql<{ dead: number }>`
        select n_dead_tup::int as dead from pg_stat_user_tables where relname = 'open_deliveries'`.execute(
        pipeline,
      );
      return rows[0]?.dead === 0;
    },
    { what: 'nobody to look at deleted rows' },
  );
}

/** Deliveries on hold at the gate of one consumer, each of a payment of its own. */
async function hold(count: number): Promise<void> {
  await sql`
    with event as (
      insert into events (id, event_type, payment_id, number, status, event_at, producer, body, consumer_ids, delivery_ids)
      select uuidv7(), 'ach.status', 'held-' || n, 1, 'PENDING', now(), 'hub', '{}', array[${recipient.id}::uuid], '{}'
      from generate_series(1, ${count}::int) n
      returning id, payment_id
    )
    insert into open_deliveries (id, event_id, consumer_id, event_type, payment_id, number, state, hold_reason, held_since)
    select uuidv7(), id, ${recipient.id}, 'ach.status', payment_id, 1, 'held', 'concurrency', now() from event`.execute(
    pipeline,
  );
}

it('a plan that was made while the tables were empty reads no backlog that came later', async () => {
  await sql`vacuum analyze`.execute(pipeline);
  // Makes the plans, which are kept.
  await oneByOne('first');
  await hold(HELD);
  const reads = await oneByOne('behind the backlog');
  expect(Object.entries(reads).filter(([, rows]) => rows > FEW)).toEqual([]);
});

it('nor does one that was made when all that had been open was gone', async () => {
  await sql`delete from open_deliveries`.execute(pipeline);
  await forgetTheDead();
  await oneByOne('second');
  await hold(HELD);
  const reads = await oneByOne('behind the next backlog');
  expect(Object.entries(reads).filter(([, rows]) => rows > FEW)).toEqual([]);
});

it.each(['analyze', 'vacuum analyze'])('nor one that was made among the backlog (%s)', async (how) => {
  await sql.raw(how).execute(pipeline);
  const reads = await oneByOne(`among the backlog, ${how}`);
  expect(Object.entries(reads).filter(([, rows]) => rows > FEW)).toEqual([]);
});
