import type { ReportFiguresDto } from '#apps/api/src/system/reports/report.dto';
import { ReportsService } from '#apps/api/src/system/reports/reports.service';
import { describe, expect, it } from 'vitest';
import { newId, type FinalState } from '#libs/contracts';
import { firstIdAt, ReportRepository } from '#libs/database';
import fc from 'fast-check';
import { sql } from 'kysely';
import { insertConsumer } from '#test/support/consumer-row';
import { fileDatabase } from '#test/support/file-database';
import { reopen } from '../../libs/database/src/deliveries/cancel-and-retry.js';
import { endPending } from '../../libs/database/src/engine/end-pending.js';

const { db, reading } = await fileDatabase({ queryTimeoutMs: 0 });

const reports = new ReportsService(new ReportRepository(reading));

/** The start of a period without other data: each test has its own. */
let periods = 0;
function newPeriod(): number {
  periods += 1;
  return Date.now() - 6 * 3_600_000 + periods * 60_000;
}

interface MadeDelivery {
  readonly consumerId: string;
  /** Relative to the start of the period. */
  readonly atMs: number;
  readonly state: FinalState | 'pending';
  readonly tookMs: number;
  readonly replayed: boolean;
}

const idAt = (ms: number): string => `${firstIdAt(ms).slice(0, 14)}7${newId().slice(15)}`;

async function insertDeliveries(start: number, all: readonly MadeDelivery[]): Promise<void> {
  const rows = all.map(({ consumerId, atMs, state, tookMs, replayed }) => ({
    id: idAt(start + atMs),
    event_id: newId(),
    consumer_id: consumerId,
    event_type: 'ach.status' as const,
    created_at: new Date(start + atMs),
    finished_at: new Date(start + atMs + tookMs),
    attempts: 1,
    state,
    replayed,
  }));
  const finished = rows.flatMap(({ state, ...row }) => (state === 'pending' ? [] : [{ ...row, state }]));
  const pending = rows.filter(({ state }) => state === 'pending');
  if (finished.length > 0) await db.insertInto('deliveries').values(finished).execute();
  if (pending.length > 0)
    await db
      .insertInto('pending_deliveries')
      .values(pending.map(({ state: _state, finished_at: _finishedAt, replayed: _replayed, ...row }) => row))
      .execute();
}

/** The figures of the report that are counts. */
const FIGURES = [
  'accepted',
  'delivered',
  'late',
  'replayedOrPaused',
  'dead',
  'cancelled',
  'waiting',
] as const satisfies readonly (keyof ReportFiguresDto)[];

const at = (start: number, ms: number): Date => new Date(start + ms);

describe('report on consumers', () => {
  it('each figure of the report equals a plain count in its period, and the totals are the sums over consumers', async () => {
    const consumers = [await insertConsumer(db), await insertConsumer(db), await insertConsumer(db)];
    const madeDelivery = fc.record({
      consumerId: fc.constantFrom(...consumers),
      atMs: fc.integer({ min: -10, max: 110 }),
      state: fc.constantFrom('delivered', 'dead', 'cancelled', 'pending'),
      tookMs: fc.integer({ min: 0, max: 200 }),
      replayed: fc.boolean(),
    } satisfies Record<keyof MadeDelivery, unknown>);
    await fc.assert(
      fc.asyncProperty(fc.array(madeDelivery, { maxLength: 40 }), async (all) => {
        const start = newPeriod();
        await insertDeliveries(start, all);
        const inside = all.filter(({ atMs }) => atMs >= 0 && atMs < 100);
        const report = await reports.read({ from: at(start, 0), to: at(start, 100), lateAfterMs: 50 });
        const count = (test: (one: MadeDelivery) => boolean) => (id: string) =>
          inside.filter((one) => one.consumerId === id && test(one)).length;
        const isDelivered = ({ state }: MadeDelivery): boolean => state === 'delivered';
        for (const row of report.consumers.filter(({ consumerId }) => consumers.includes(consumerId)))
          expect(FIGURES.map((figure) => row[figure])).toEqual(
            [
              count(() => true),
              count(isDelivered),
              count((one) => isDelivered(one) && !one.replayed && one.tookMs > 50),
              count((one) => isDelivered(one) && one.replayed),
              count(({ state }) => state === 'dead'),
              count(({ state }) => state === 'cancelled'),
              count(({ state }) => state === 'pending'),
            ].map((counted) => counted(row.consumerId)),
          );
        for (const figure of FIGURES)
          expect(report.totals[figure]).toBe(
            report.consumers.reduce((sum, row) => sum + (row[figure] ?? Number.NaN), 0),
          );
        expect(report).toMatchObject({
          from: at(start, 0).toISOString(),
          to: at(start, 100).toISOString(),
          lateAfterMs: 50,
          source: 'deliveries',
          totals: { accepted: inside.length },
        });
        const took = inside.filter((one) => isDelivered(one) && !one.replayed).map(({ tookMs }) => tookMs);
        const percentile = (share: number): number | null =>
          took.toSorted((one, other) => one - other)[Math.ceil(took.length * share) - 1] ?? null;
        expect([report.totals.p50Ms, report.totals.p95Ms]).toEqual([percentile(0.5), percentile(0.95)]);
      }),
      { numRuns: 25 },
    );
  });

  it('the report sums the time for which each circuit was open, within its period only', async () => {
    const from = new Date(Date.now() - 3_600_000);
    const minute = (minutes: number): Date => new Date(from.getTime() + minutes * 60_000);
    const [twice, before, still, removed] = await Promise.all([
      insertConsumer(db, { name: 'down twice' }),
      insertConsumer(db, { name: 'down before' }),
      insertConsumer(db, { name: 'still down', circuitOpenedAt: minute(50) }),
      insertConsumer(db, { name: 'removed while down', circuitOpenedAt: minute(-5) }),
    ]);
    await sql`update consumers set created_at = ${minute(-60)}`.execute(db);
    await sql`update consumers set deleted_at = ${minute(10)} where id = ${removed}`.execute(db);
    const close = (consumerId: string, openedAt: Date, closedAt: Date): Promise<unknown> =>
      sql`insert into audit_log (at, actor, action, target, details)
          values (${closedAt}, 'dispatcher', 'consumer.circuit_closed', ${`consumer:${consumerId}`},
                  ${JSON.stringify({ openedAt })})`.execute(db);
    await close(before, minute(-20), minute(-10));
    await close(twice, minute(-10), minute(5));
    await close(twice, minute(20), minute(22));
    await close(twice, minute(59), minute(59.5));
    const report = await reports.read({ from: minute(0), to: minute(59) });
    const downtime = (id: string): number | undefined =>
      report.consumers.find(({ consumerId }) => consumerId === id)?.downtimeMs;
    expect([twice, before, still, removed].map(downtime)).toEqual([7 * 60_000, 0, 9 * 60_000, 10 * 60_000]);
    expect(report.totals).not.toHaveProperty('downtimeMs');
  });

  it.each(['of its consumer', 'of all sending'])(
    'a delivery that a pause %s has held is not late and has no time',
    async (of) => {
      const start = newPeriod();
      const consumerId = await insertConsumer(db);
      await db
        .insertInto('excluded_downtime')
        .values([
          ...[10, 30].map((beganAt) => ({
            consumer_id: of === 'of its consumer' ? consumerId : null,
            cause: 'paused' as const,
            began_at: at(start, beganAt),
            ended_at: at(start, 60),
          })),
          // A fault of the dispatcher makes deliveries late.
          { consumer_id: consumerId, cause: 'outage', began_at: at(start, 0), ended_at: at(start, 99) },
        ])
        .execute();
      const delivered = { consumerId, state: 'delivered', replayed: false } as const;
      await insertDeliveries(start, [
        { ...delivered, atMs: 0, tookMs: 5 },
        { ...delivered, atMs: 0, tookMs: 90 },
        { ...delivered, atMs: 40, tookMs: 45 },
        { ...delivered, atMs: 60, tookMs: 25 },
      ]);
      const report = await reports.read({ from: at(start, 0), to: at(start, 100), lateAfterMs: 20 });
      expect(report.consumers.find((row) => row.consumerId === consumerId)).toMatchObject({
        delivered: 4,
        late: 1,
        replayedOrPaused: 2,
        p95Ms: 25,
      });
    },
  );

  it('a delivery that a person has sent again is delivered as replayed', async () => {
    const consumerId = await insertConsumer(db);
    const id = newId();
    const row = { id, event_id: newId(), consumer_id: consumerId, event_type: 'ach.status' as const };
    await db.insertInto('pending_deliveries').values(row).execute();
    const finish = async (): Promise<boolean> => {
      await db
        .transaction()
        .execute((trx) => endPending(trx, [id], { state: 'dead', reason: 'pending_too_long' }));
      const { replayed } = await db
        .selectFrom('deliveries')
        .select('replayed')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return replayed;
    };
    expect(await finish()).toBe(false);
    await db.transaction().execute((trx) => reopen(trx, [id]));
    expect(await finish()).toBe(true);
  });

  it('a report over too many deliveries uses the statistics, and names them as its source', async () => {
    const id = await insertConsumer(db, { name: 'of statistics' });
    const minute = new Date('2025-02-01T00:00:00Z');
    const end = new Date('2025-02-02T00:00:00Z');
    // Buckets up to 1, 1.5, 2, 3 … ms; the 29th is up to 50 s, the 30th up to 70, the 31st up to 100.
    const latency = [...Array.from({ length: 28 }, () => 0), 900_000, 50_000, 50_000];
    await sql`
      insert into stats_minutes (consumer_id, minute, process_id, accepted, delivered, dead, attempts, failed_attempts, latency)
      values (${id}, ${minute}, gen_random_uuid(), 1500001, 0, 0, 0, 0, '{}'),
             (${id}, ${minute}, gen_random_uuid(), 0, 1000000, 7, 0, 0, ${latency}),
             (null, ${minute}, gen_random_uuid(), 5, 5, 5, 5, 5, '{5}'),
             (${id}, ${end}, gen_random_uuid(), 9, 9, 9, 9, 9, '{9}')`.execute(db);
    const report = await reports.read({ from: minute, to: end });
    const figures = {
      accepted: 1_500_001,
      delivered: 1_000_000,
      late: 50_000,
      replayedOrPaused: null,
      dead: 7,
      cancelled: 0,
      waiting: 499_994,
    };
    expect(report).toMatchObject({
      source: 'statistics',
      consumers: expect.arrayContaining([
        { consumerId: id, name: 'of statistics', ...figures, p50Ms: 50_000, p95Ms: 70_000, downtimeMs: 0 },
      ]),
      totals: { ...figures, p50Ms: 50_000, p95Ms: 70_000 },
    });
  });

  it('refuses a report over more than 31 days', async () => {
    const from = new Date('2025-01-01T00:00:00Z');
    const to = new Date('2025-02-01T00:00:00Z');
    expect((await reports.read({ from, to })).consumers).toEqual(expect.any(Array));
    await expect(reports.read({ from, to: new Date(to.getTime() + 1) })).rejects.toMatchObject({
      faults: [{ field: 'from', message: 'must be at most 31 days before `to`' }],
    });
  });
});
