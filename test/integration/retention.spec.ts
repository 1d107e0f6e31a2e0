import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { dropOldPartitions, ensurePartitions, firstIdAt, record, take } from '#libs/database';
import { sql } from 'kysely';
import { Recipient, resultOf } from '#test/support/recipient';
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

it('old partitions go, whole, the oldest first, up to the first to which anything open belongs', async () => {
  const now = new Date();
  const [ancient, old] = [new Date(now.getTime() - 300 * DAY_MS), new Date(now.getTime() - 200 * DAY_MS)];
  const ancientOnes = await ensurePartitions(story.db, ancient, 0);
  const oldOnes = await ensurePartitions(story.db, old, 0);
  expect([ancientOnes.length, oldOnes.length]).toEqual([6, 6]);
  const recipient = await Recipient.add(story);
  const open = await date(await recipient.accept('payment'), old);
  const before = await rowsIn(story.db, 'events');

  const emptyBefore = oldOnes.slice(0, 3);
  expect(await dropOldPartitions(story.db, now, RETENTION_DAYS)).toEqual(
    expect.arrayContaining([...ancientOnes, ...emptyBefore]),
  );
  expect(await dropOldPartitions(story.db, now, RETENTION_DAYS)).toEqual([]);
  expect(await rowsIn(story.db, 'events')).toBe(before);

  const [taken] = await take(story.db, [open]);
  if (taken?.kind !== 'taken') throw new Error('what is old and open must go all the same');
  await record(story.db, [resultOf(taken, { state: 'delivered' })]);
  const last = await dropOldPartitions(story.db, now, RETENTION_DAYS);
  expect(last.toSorted()).toEqual(oldOnes.slice(3).toSorted());
  expect(await rowsIn(story.db, 'events')).toBe(before - 1);
});
