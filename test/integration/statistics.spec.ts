import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StatisticsRepository, WorkersRepository, type MinuteRow } from '#libs/database';
import { Statistician } from '#libs/dispatch';
import { wireExample } from '#libs/contracts';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import {
  accept,
  addConsumer,
  rowsIn,
  startStoryInProcess,
  type StoryInProcess,
} from '#test/support/story-in-process';
import { waitUntil } from '#test/support/wait-until';

let story: StoryInProcess;
let statistics: StatisticsRepository;
let workers: WorkersRepository;

beforeAll(async () => {
  story = await startStoryInProcess();
  statistics = story.app.get(StatisticsRepository, { strict: false });
  workers = story.app.get(WorkersRepository, { strict: false });
});
afterAll(() => story.close());

const START = Date.parse('2025-11-20T12:00:00Z');
const minute = (index: number): Date => new Date(START + index * 60_000);
const row = (index: number, given: Partial<MinuteRow> = {}): MinuteRow => ({
  minute: minute(index),
  consumerId: null,
  accepted: 1,
  delivered: 2,
  dead: 0,
  attempts: 3,
  failedAttempts: 1,
  latency: [],
  ...given,
});

describe('statistics', () => {
  it('add up over processes and minutes, and a row written again replaces itself', async () => {
    const [one, other] = [uuidv7(), uuidv7()];
    const consumerId = uuidv7();
    await statistics.write(one, [row(0), row(1, { latency: [0, 2] }), row(2)]);
    await statistics.write(one, [row(0), row(2, { accepted: 5 })]);
    await statistics.write(other, [row(1, { latency: [1, 0, 4] }), row(1, { consumerId })]);
    const steps = await statistics.steps({ from: minute(0), to: minute(4), stepSeconds: 120 });
    expect(steps).toEqual([
      { step: 0, accepted: 3, delivered: 6, dead: 0, attempts: 9, failed_attempts: 3, latency: [1, 2, 4] },
      { step: 1, accepted: 5, delivered: 2, dead: 0, attempts: 3, failed_attempts: 1, latency: null },
    ]);
    expect(await statistics.steps({ consumerId, from: minute(0), to: minute(4), stepSeconds: 60 })).toEqual([
      { step: 1, accepted: 1, delivered: 2, dead: 0, attempts: 3, failed_attempts: 1, latency: null },
    ]);
    expect(await statistics.steps({ from: minute(1), to: minute(2), stepSeconds: 60 })).toHaveLength(1);
  });

  it('are trimmed with age', async () => {
    await statistics.write(uuidv7(), [row(0, { minute: new Date(Date.now() - 91 * 86_400_000) })]);
    await statistics.write(uuidv7(), [row(0, { minute: new Date(Date.now() - 89 * 86_400_000) })]);
    const before = await rowsIn(story.db, 'stats_minutes');
    // Those of the former test are older too, some day.
    const trimmed = await statistics.trim(90, 1_000);
    expect(trimmed).toBeGreaterThanOrEqual(1);
    expect(await rowsIn(story.db, 'stats_minutes')).toBe(before - trimmed);
    expect(await statistics.trim(90, 1_000)).toBe(0);
  });

  it('are written behind what is accepted, and never in its transaction', async () => {
    const consumerId = await addConsumer(story, { all_payments: true });
    const from = new Date(Date.now() - 60_000);
    await accept(story, wireExample({ paymentId: uuidv7() }));
    const counted = await waitUntil(
      async () => {
        const to = new Date(Date.now() + 60_000);
        const steps = await statistics.steps({ consumerId, from, to, stepSeconds: 600 });
        return steps.length > 0 && steps;
      },
      { what: 'the accepted event to be counted' },
    );
    expect(counted.reduce((sum, step) => sum + step.accepted, 0)).toBe(1);
  });
});

describe('a worker', () => {
  it('is seen while it lives, and not once it has stopped or was not seen for long', async () => {
    const statistician = story.app.get(Statistician, { strict: false });
    let sending = 1;
    statistician.workerStarts(() => ({ concurrency: 8, sending }));
    await waitUntil(async () => (await workers.seenWithin(15_000)).length === 1, {
      what: 'the worker',
    });
    expect(await workers.seenWithin(15_000)).toEqual([
      expect.objectContaining({ pid: process.pid, concurrency: 8, sending: 1 }),
    ]);
    sending = 3;
    await waitUntil(async () => (await workers.seenWithin(15_000))[0]?.sending === 3, {
      what: 'the next beat',
    });
    await sql`insert into workers (id, host, pid, seen_at, concurrency, sending)
      values (${uuidv7()}, 'gone', 1, now() - interval '15 seconds', 1, 1),
             (${uuidv7()}, 'long gone', 1, now() - interval '2 days', 1, 1)`.execute(story.db);
    expect(await workers.seenWithin(15_000)).toHaveLength(1);
    await workers.trim();
    expect(await rowsIn(story.db, 'workers')).toBe(2);
    await statistician.workerStops();
    expect(await workers.seenWithin(15_000)).toEqual([]);
  });
});
