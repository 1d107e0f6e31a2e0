import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import { StatisticsWriter, StatisticsRepository, WorkersRepository, type MinuteRow } from '#libs/database';
import { createLogger, Metrics } from '#libs/observability';
import { sql } from 'kysely';
import { rowsIn } from '#test/support/rows-in';
import { waitUntil } from '#test/support/wait-until';
import { fileDatabase } from '#test/support/file-database';

const ALIVE_MS = 6_000;

const { db, reading } = await fileDatabase();
let statistics: StatisticsRepository;
let workers: WorkersRepository;
let statisticsWriter: StatisticsWriter;

beforeAll(async () => {
  statistics = new StatisticsRepository(db, reading);
  workers = new WorkersRepository(db, reading);
  const logger = createLogger({ level: 'silent', process: 'test' });
  statisticsWriter = new StatisticsWriter(logger, new Metrics(), statistics, workers);
  statisticsWriter.onApplicationBootstrap();
});
afterAll(async () => {
  await statisticsWriter.onApplicationShutdown();
});

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
  it('statistics add up over processes and minutes, and a row written again replaces the earlier one', async () => {
    const [one, other] = [newId(), newId()];
    const consumerId = newId();
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

  it('trims statistics that are older than 90 days', async () => {
    await statistics.write(newId(), [row(0, { minute: new Date(Date.now() - 91 * 86_400_000) })]);
    await statistics.write(newId(), [row(0, { minute: new Date(Date.now() - 89 * 86_400_000) })]);
    const before = await rowsIn(db, 'stats_minutes');
    // The rows of the previous test have a fixed date, and may be older, too.
    const trimmed = await statistics.trim(90, 1_000);
    expect(trimmed).toBeGreaterThanOrEqual(1);
    expect(await rowsIn(db, 'stats_minutes')).toBe(before - trimmed);
    expect(await statistics.trim(90, 1_000)).toBe(0);
  });

  it('writes the counted events to the statistics without a request', async () => {
    const consumerId = newId();
    const from = new Date(Date.now() - 60_000);
    statisticsWriter.counters.accepted([consumerId]);
    const counted = await waitUntil(
      async () => {
        const to = new Date(Date.now() + 60_000);
        const steps = await statistics.steps({ consumerId, from, to, stepSeconds: 600 });
        return steps.length > 0 && steps;
      },
      { what: 'the counted event to be written' },
    );
    expect(counted.reduce((sum, step) => sum + step.accepted, 0)).toBe(1);
  });
});

describe('report of a worker', () => {
  it.each([
    ['refuses', (work: () => Promise<void>) => refusing(work)],
    ['does not answer', (work: () => Promise<void>) => hanging(work)],
  ])('a worker goes on reporting while PostgreSQL %s its statistics', async (_, whileBroken) => {
    statisticsWriter.workerStarts(() => ({
      concurrency: 8,
      sending: [],
      sessions: [],
      atLimit: [],
      lasting: 0,
    }));
    await whileBroken(async () => {
      const reports = new Set<number>();
      await waitUntil(
        async () => {
          statisticsWriter.counters.accepted([newId()]);
          for (const { seen_at } of await workers.seenWithin(ALIVE_MS)) reports.add(seen_at.getTime());
          return reports.size >= 4;
        },
        { what: () => `four reports; ${String(reports.size)} were seen`, deadlineMs: 20_000 },
      );
      expect(reports.size).toBeGreaterThanOrEqual(4);
    });
    await statisticsWriter.workerStops();
  });

  const refusing = async (work: () => Promise<void>): Promise<void> => {
    await sql`alter table stats_minutes add constraint refused check (false) not valid`.execute(db);
    try {
      await work();
    } finally {
      await sql`alter table stats_minutes drop constraint refused`.execute(db);
    }
  };

  const hanging = (work: () => Promise<void>): Promise<void> =>
    db.transaction().execute(async (trx) => {
      await sql`lock table stats_minutes in access exclusive mode`.execute(trx);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      await work();
    });

  it('a worker is listed with its current work until it stops or has not reported for long', async () => {
    const [first, second, consumer] = [newId(), newId(), newId()];
    let sending = [first];
    statisticsWriter.workerStarts(() => ({
      concurrency: 8,
      sending,
      sessions: [consumer],
      atLimit: [],
      lasting: 0,
    }));
    await waitUntil(async () => (await workers.seenWithin(ALIVE_MS)).length === 1, { what: 'a report' });
    expect(await workers.seenWithin(ALIVE_MS)).toEqual([
      expect.objectContaining({
        pid: process.pid,
        concurrency: 8,
        sending: [first],
        sessions: [consumer],
        at_limit: [],
      }),
    ]);
    sending = [first, second];
    await waitUntil(async () => (await workers.seenWithin(ALIVE_MS))[0]?.sending.length === 2, {
      what: 'the next report',
    });
    await sql`
      insert into workers (id, host, pid, seen_at, concurrency)
      values (${newId()}, 'gone', 1, now() - interval '6 seconds', 1),
             (${newId()}, 'long gone', 1, now() - interval '2 days', 1)`.execute(db);
    expect(await workers.seenWithin(ALIVE_MS)).toHaveLength(1);
    await workers.trim();
    expect(await rowsIn(db, 'workers')).toBe(2);
    await statisticsWriter.workerStops();
    expect(await workers.seenWithin(ALIVE_MS)).toEqual([]);
  });
});
