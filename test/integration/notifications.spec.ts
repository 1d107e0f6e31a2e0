import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { achExample, wireExample } from '#libs/contracts';
import {
  NotificationsRepository,
  openDatabase,
  record,
  take,
  type Database,
  type NotificationFilter,
} from '#libs/database';
import { sql } from 'kysely';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { newStatus, writeStatus } from '#test/support/new-status';
import { Recipient, resultOf } from '#test/support/recipient';
import {
  accept,
  addConsumer,
  startStoryInProcess,
  type StoryInProcess,
} from '#test/support/story-in-process';
import { waitUntil } from '#test/support/wait-until';

let story: StoryInProcess;
let other: Database;
let notifications: NotificationsRepository;

beforeAll(async () => {
  story = await startStoryInProcess();
  other = openDatabase({ url: story.databaseUrl, poolSize: 4, queryTimeoutMs: 0 });
  notifications = story.app.get(NotificationsRepository, { strict: false });
});
afterAll(async () => {
  await other.destroy();
  await story.close();
});

const idOf = (body: string): string => {
  const { notificationId }: { notificationId: string } = JSON.parse(body);
  return notificationId;
};

/** The envelopes of a page, read as the api reads them. */
async function bodies(filter: NotificationFilter, offset: number, limit: number): Promise<string[]> {
  const rows = await notifications.list(filter, { offset, limit });
  return rest(notifications.bodies(rows.slice(0, limit)));
}

async function rest(chunks: AsyncIterable<string[]>): Promise<string[]> {
  const read: string[] = [];
  for await (const chunk of chunks) read.push(...chunk);
  return read;
}

const page = async (consumerId: string, offset: number, limit: number): Promise<string[]> =>
  (await bodies({ consumerId }, offset, limit)).map(idOf);
const listed = (consumerId: string): Promise<string[]> => page(consumerId, 0, 1_000);

/** The list once it is so long: what is committed shows when every older writer has ended, whoever that is. */
async function listedOnce(consumerId: string, count: number): Promise<string[]> {
  return waitUntil(
    async () => {
      const ids = await listed(consumerId);
      return ids.length >= count && ids;
    },
    { what: 'the list to be complete' },
  );
}

async function acceptFor(
  consumer: Recipient,
  change = achExample({ transactionId: uuidv7() }),
): Promise<string> {
  change.data.achEventInfo.debtor.achCompanyId = consumer.company;
  const answer = await accept(story, change);
  if (answer.kind !== 'accepted') throw new Error('not accepted');
  return answer.notificationId;
}

/** An accept of another process that has written its delivery and not committed. */
async function acceptUnderWay(consumerId: string): Promise<{ id: string; commit: () => Promise<void> }> {
  const trx = await other.startTransaction().execute();
  const event = newStatus({
    deliveries: [{ id: uuidv7(), consumerId, ordered: true, behindInBatch: false }],
  });
  await writeStatus(trx, event);
  return { id: event.id, commit: () => trx.commit().execute() };
}

/** What a delivery made by hand, long after the event, leaves behind. */
async function sendToo(notificationId: string, consumerId: string): Promise<void> {
  await sql`
    insert into open_deliveries (id, event_id, consumer_id, event_type, payment_id, number, state)
    select ${uuidv7()}, id, ${consumerId}, event_type, payment_id, number, 'queued' from events
    where id = ${notificationId}`.execute(story.db);
}

/** Finishes the oldest deliveries of a consumer that may go: they move from open work to history. */
async function finishSome(consumer: Recipient, count: number): Promise<void> {
  const taken = await take(story.db, (await consumer.inState('queued')).slice(0, count));
  const results = taken.flatMap((answer) =>
    answer.kind === 'taken' ? [resultOf(answer, { state: 'delivered' })] : [],
  );
  if (results.length > 0) await record(story.db, results);
}

describe('a consumer’s notifications', () => {
  it('are its own, oldest first, whatever became of them', async () => {
    const [consumer, stranger] = [await Recipient.add(story), await Recipient.add(story)];
    const ids = [await acceptFor(consumer), await acceptFor(consumer), await acceptFor(consumer)];
    await acceptFor(stranger);
    expect(await listedOnce(consumer.id, ids.length)).toEqual(ids);
    await finishSome(consumer, 2);
    expect(await listedOnce(consumer.id, ids.length)).toEqual(ids);
  });

  it('end with what was sent to it later by hand, however old the event is', async () => {
    const [first, second] = [await Recipient.add(story), await Recipient.add(story)];
    const old = await acceptFor(first);
    const own = await acceptFor(second);
    expect(await listedOnce(second.id, 1)).toEqual([own]);
    await sendToo(old, second.id);
    expect(await listedOnce(second.id, 2)).toEqual([own, old]);
  });

  it('show nothing behind an accept that is still under way', async () => {
    const consumer = await Recipient.add(story);
    const before = await acceptFor(consumer);
    const slow = await acceptUnderWay(consumer.id);
    const after = await acceptFor(consumer);
    expect(await listedOnce(consumer.id, 1)).toEqual([before]);
    await slow.commit();
    expect(await listedOnce(consumer.id, 3)).toEqual([before, slow.id, after]);
  });

  it('are found by time and type', async () => {
    const consumer = await Recipient.add(story);
    const ids = [await acceptFor(consumer), await acceptFor(consumer)];
    expect(await listedOnce(consumer.id, ids.length)).toEqual(ids);
    const { rows } = await sql<{ created_at: Date }>`
      select date_trunc('milliseconds', created_at) as created_at from open_deliveries where event_id = ${ids[1]}`.execute(
      story.db,
    );
    const from = rows[0]?.created_at ?? new Date();
    const found = async (filter: object): Promise<string[]> =>
      (await bodies({ consumerId: consumer.id, ...filter }, 0, 10)).map(idOf);
    expect(await found({ from })).toContain(ids[1]);
    expect(await found({ to: from })).not.toContain(ids[1]);
    expect(await found({ from: new Date(Date.now() + 60_000) })).toEqual([]);
    expect(await found({ eventType: 'ach.status' })).toEqual(ids);
    expect(await found({ eventType: 'wire.status' })).toEqual([]);
  });

  it('keep their places when an event is gone before its late delivery', async () => {
    const consumer = await Recipient.add(story);
    const ids = [await acceptFor(consumer), await acceptFor(consumer), await acceptFor(consumer)];
    expect(await listedOnce(consumer.id, ids.length)).toEqual(ids);
    await sql`delete from events where id = ${ids[1]}`.execute(story.db);
    expect(await notifications.list({ consumerId: consumer.id }, { offset: 0, limit: 10 })).toHaveLength(3);
    expect(await page(consumer.id, 0, 2)).toEqual([ids[0]]);
    expect(await page(consumer.id, 2, 2)).toEqual([ids[2]]);
  });

  it('leave out what retention drops while they are read', async () => {
    const consumer = await Recipient.add(story);
    // As many as make a second chunk.
    const ids: string[] = [];
    for (let made = 0; made < 70; made++) ids.push(await acceptFor(consumer));
    await listedOnce(consumer.id, ids.length);
    const chunks = notifications.bodies(
      await notifications.list({ consumerId: consumer.id }, { offset: 0, limit: 100 }),
    );
    const first = (await chunks.next()).value ?? [];
    await sql`delete from events where id = ${ids.at(-1)}`.execute(story.db);
    expect([...first, ...(await rest(chunks))].map(idOf)).toEqual(ids.slice(0, -1));
  });

  it('are read over one connection of many, however many read them', async () => {
    const consumer = await Recipient.add(story);
    const id = await acceptFor(consumer);
    await listedOnce(consumer.id, 1);
    const rows = await notifications.list({ consumerId: consumer.id }, { offset: 0, limit: 1 });
    const held = await other.startTransaction().execute();
    await sql`lock table events in access exclusive mode`.execute(held);
    const lists = Promise.all(Array.from({ length: 20 }, () => notifications.bodies(rows).next()));
    const waiting = async (): Promise<number> => {
      const found = await sql<{ pid: number }>`
        select distinct pid from pg_locks where not granted and relation = 'events'::regclass
          and database = (select oid from pg_database where datname = current_database())`.execute(story.db);
      return found.rows.length;
    };
    await waitUntil(async () => (await waiting()) > 0, { what: 'a chunk to be asked for' });
    expect(await waiting()).toBe(1);
    await held.rollback().execute();
    for (const { value } of await lists) expect((value ?? []).map(idOf)).toEqual([id]);
  });

  it('are neither missed nor doubled by whoever pages, whatever happens meanwhile', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('read' as const), many: fc.integer({ min: 1, max: 5 }) }),
      fc.record({
        kind: fc.constantFrom(
          'accept' as const,
          'begin' as const,
          'commit' as const,
          'byHand' as const,
          'finish' as const,
        ),
        many: fc.integer({ min: 1, max: 3 }),
      }),
    );
    const foreign = await acceptFor(await Recipient.add(story));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
        const consumer = await Recipient.add(story);
        const meant: string[] = [];
        const seen: string[] = [];
        const underWay: Awaited<ReturnType<typeof acceptUnderWay>>[] = [];
        let sentByHand = false;
        const read = async (limit: number): Promise<number> => {
          const ids = await page(consumer.id, seen.length, limit);
          seen.push(...ids);
          return ids.length;
        };
        for (const { kind, many } of steps) {
          if (kind === 'read') await read(many);
          if (kind === 'accept') meant.push(await acceptFor(consumer));
          if (kind === 'finish') await finishSome(consumer, many);
          if (kind === 'begin' && underWay.length < 3) underWay.push(await acceptUnderWay(consumer.id));
          if (kind === 'commit') {
            const [ended] = underWay.splice(many % Math.max(1, underWay.length), 1);
            await ended?.commit();
            if (ended !== undefined) meant.push(ended.id);
          }
          if (kind === 'byHand' && !sentByHand) {
            await sendToo(foreign, consumer.id);
            sentByHand = true;
            meant.push(foreign);
          }
        }
        for (const { id, commit } of underWay) {
          await commit();
          meant.push(id);
        }
        await waitUntil(async () => (await read(7)) === 0 && seen.length >= meant.length, {
          what: 'everything to be listed',
        });
        expect(seen.toSorted()).toEqual(meant.toSorted());
      }),
      { numRuns: 15 },
    );
  });
});

describe('any page', () => {
  it('is what one plain statement answers, with more records exactly when there are', async () => {
    const consumer = await Recipient.add(story);
    const meant: string[] = [];
    for (let made = 0; made < 90; made++) {
      const change = achExample({ transactionId: uuidv7() });
      // Some of them are larger than others by more than a chunk has room for.
      change.data.achEventInfo.debtor.name = 'x'.repeat(made % 9 === 0 ? 200_000 : 0);
      meant.push(await acceptFor(consumer, change));
    }
    await finishSome(consumer, 40);
    await listedOnce(consumer.id, meant.length);
    const { rows } = await sql<{ body: string }>`
      select e.body from events e join (
        select event_id, created_at, id, consumer_id from open_deliveries
        union all select event_id, created_at, id, consumer_id from deliveries) d on d.event_id = e.id
      where d.consumer_id = ${consumer.id} order by d.created_at, d.id`.execute(story.db);
    const plain = rows.map(({ body }) => body);
    expect(plain.map(idOf)).toEqual(meant);
    const number = fc.integer({ min: 0, max: 100 });
    await fc.assert(
      fc.asyncProperty(number, fc.integer({ min: 1, max: 100 }), async (offset, limit) => {
        expect(await bodies({ consumerId: consumer.id }, offset, limit)).toEqual(
          plain.slice(offset, offset + limit),
        );
        const found = await notifications.list({ consumerId: consumer.id }, { offset, limit });
        expect(found.length > limit).toBe(plain.length > offset + limit);
      }),
      { numRuns: 40 },
    );
  });
});

describe('an envelope', () => {
  it('is what was accepted, byte for byte', async () => {
    const consumer = await addConsumer(story, { all_payments: true });
    await accept(story, wireExample({ paymentId: uuidv7() }));
    const { rows } = await sql<{ body: string }>`
      select e.body from events e join open_deliveries d on d.event_id = e.id where d.consumer_id = ${consumer}`.execute(
      story.db,
    );
    expect(await bodies({ consumerId: consumer }, 0, 5)).toEqual(rows.map((row) => row.body));
  });
});
