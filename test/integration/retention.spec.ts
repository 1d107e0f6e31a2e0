import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  dropOldPartitions,
  ensurePartitions,
  firstIdAt,
  record,
  retryDelivery,
  take,
  type AuditEntry,
} from '#libs/database';
import { sql } from 'kysely';
import { Recipient, resultOf } from '#test/support/recipient';
import { SteppedConnection } from '#test/support/stepped-work';
import { rowsIn, startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 90;

let story: StoryInProcess;

beforeAll(async () => {
  story = await startStoryInProcess();
});
afterAll(() => story.close());

/** As if it had been accepted then. @returns the delivery's id of that time */
async function date(delivery: string, at: Date): Promise<string> {
  const first = firstIdAt(at.getTime());
  const [event, id] = [`${first.slice(0, -1)}1`, `${first.slice(0, -1)}2`];
  const { event_id } = await story.db
    .selectFrom('open_deliveries')
    .select('event_id')
    .where('id', '=', delivery)
    .executeTakeFirstOrThrow();
  await sql`update events set id = ${event} where id = ${event_id}`.execute(story.db);
  await sql`update open_deliveries set id = ${id}, event_id = ${event} where id = ${delivery}`.execute(
    story.db,
  );
  return id;
}

it('old partitions go, whole, but the weeks to which anything open belongs', async () => {
  const now = new Date();
  const [ancient, old] = [new Date(now.getTime() - 300 * DAY_MS), new Date(now.getTime() - 200 * DAY_MS)];
  const ancientOnes = await ensurePartitions(story.db, ancient, 0);
  const oldOnes = await ensurePartitions(story.db, old, 0);
  expect([ancientOnes.length, oldOnes.length]).toEqual([6, 6]);
  const recipient = await Recipient.add(story);
  const open = await date(await recipient.accept('payment'), ancient);
  const before = await rowsIn(story.db, 'events');

  const emptyBefore = ancientOnes.slice(0, 3);
  expect((await dropOldPartitions(story.db, now, RETENTION_DAYS)).toSorted()).toEqual(
    [...emptyBefore, ...oldOnes].toSorted(),
  );
  expect(await dropOldPartitions(story.db, now, RETENTION_DAYS)).toEqual([]);
  expect(await rowsIn(story.db, 'events')).toBe(before);

  const [taken] = await take(story.db, [open]);
  if (taken?.kind !== 'taken') throw new Error('what is old and open must go all the same');
  await record(story.db, [resultOf(taken, { state: 'delivered' })]);
  const last = await dropOldPartitions(story.db, now, RETENTION_DAYS);
  expect(last.toSorted()).toEqual(ancientOnes.slice(3).toSorted());
  expect(await rowsIn(story.db, 'events')).toBe(before - 1);
});

describe('a delivery of long ago that is opened again', () => {
  const AUDIT: AuditEntry = { actor: 'ann', action: 'act', target: 'it', address: null, details: {} };

  async function deadOf(daysAgo: number): Promise<{ id: string; partitions: string[]; now: Date }> {
    const now = new Date();
    const then = new Date(now.getTime() - daysAgo * DAY_MS);
    const partitions = (await ensurePartitions(story.db, then, 0)).slice(3);
    const recipient = await Recipient.add(story);
    const id = await date(await recipient.accept('payment'), then);
    // What is older goes; its own week stays for as long as it is open.
    await dropOldPartitions(story.db, now, RETENTION_DAYS);
    const [taken] = await take(story.db, [id]);
    if (taken?.kind !== 'taken') throw new Error('not taken');
    await record(story.db, [resultOf(taken, { state: 'dead' })]);
    return { id, partitions, now };
  }

  it('in the very moment in which its week would be dropped keeps all of it', async () => {
    const { id, partitions, now } = await deadOf(400);
    const connection = new SteppedConnection(story.databaseUrl, story.db);
    const retrying = connection.begin((db) => retryDelivery(db, id, { force: false }, AUDIT));
    for (let statement = 0; statement < 4; statement += 1) expect(await retrying.advance()).toBe('paused');
    expect(await dropOldPartitions(story.db, now, RETENTION_DAYS)).not.toEqual(
      expect.arrayContaining([partitions[0]]),
    );
    expect(await retrying.finish()).toMatchObject({ kind: 'done' });
    await connection.close();
    await dropOldPartitions(story.db, now, RETENTION_DAYS);
    const [taken] = await take(story.db, [id]);
    if (taken?.kind !== 'taken') throw new Error('what is open must go');
    expect(taken.attempt).toBe(2);
    await record(story.db, [resultOf(taken, { state: 'delivered' })]);
    expect(await dropOldPartitions(story.db, now, RETENTION_DAYS)).toEqual(
      expect.arrayContaining(partitions),
    );
  });

  it('is not, once its event is dropped, which goes first', async () => {
    const { id, partitions, now } = await deadOf(500);
    // Whoever reads the deliveries keeps the rest of the week for now.
    await story.db.transaction().execute(async (reader) => {
      await sql`select from deliveries where id = ${id}`.execute(reader);
      const dropped = await dropOldPartitions(story.db, now, RETENTION_DAYS);
      expect(dropped.filter((name) => partitions.includes(name))).toEqual(
        partitions.filter((name) => name.startsWith('events')),
      );
    });
    expect(await retryDelivery(story.db, id, { force: true }, AUDIT)).toEqual({ kind: 'event_gone' });
    await dropOldPartitions(story.db, now, RETENTION_DAYS);
    expect(await retryDelivery(story.db, id, { force: true }, AUDIT)).toEqual({ kind: 'unknown' });
  });
});
