import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StatisticsCounters } from './statistics-counters.js';
import type { MinuteRow } from './statistics.repository.js';

const START = Date.parse('2025-11-20T12:00:00Z');
const at = (seconds: number): Date => new Date(START + seconds * 1_000);

/** A table that replaces the row with the same key, as PostgreSQL does. It can be unavailable. */
class Table {
  readonly rows = new Map<string, MinuteRow>();
  writes = 0;
  isUnavailable = false;

  /** How far its clock is ahead. */
  aheadMs = 0;

  readonly write = (rows: readonly MinuteRow[]): Promise<Date> => {
    this.writes += 1;
    if (this.isUnavailable) return Promise.reject(new Error('unavailable'));
    for (const row of rows) this.rows.set(`${row.minute.toISOString()} ${row.consumerId ?? ''}`, row);
    return Promise.resolve(new Date(Date.now() + this.aheadMs));
  };

  sum(
    field: 'accepted' | 'attempts' | 'delivered' | 'dead' | 'failedAttempts',
    consumerId: string | null,
  ): number {
    return [...this.rows.values()]
      .filter((row) => row.consumerId === consumerId)
      .reduce((sum, row) => sum + row[field], 0);
  }
}

describe('StatisticsCounters', () => {
  it('counts events and attempts per minute, for each consumer and in total', async () => {
    const table = new Table();
    const counters = new StatisticsCounters();
    counters.accepted(['a', 'b'], at(59));
    counters.accepted([], at(60));
    counters.attempted({ consumerId: 'a', succeeded: false, end: null, latencyMs: 5 }, at(60));
    counters.attempted({ consumerId: 'a', succeeded: true, end: 'delivered', latencyMs: 5 }, at(61));
    counters.died('b', at(61));
    await counters.flush(table.write, at(62));
    expect(table.rows.get('2025-11-20T12:00:00.000Z ')).toMatchObject({ accepted: 1, attempts: 0 });
    expect(table.rows.get('2025-11-20T12:01:00.000Z ')).toMatchObject({
      accepted: 1,
      attempts: 2,
      failedAttempts: 1,
      delivered: 1,
      dead: 1,
    });
    expect(table.rows.get('2025-11-20T12:01:00.000Z a')).toMatchObject({ attempts: 2, dead: 0 });
    expect(table.rows.get('2025-11-20T12:01:00.000Z a')?.latency.at(-1)).toBe(1);
    expect(table.sum('dead', 'b')).toBe(1);
  });

  it('writes no statistics when nothing was counted', async () => {
    const table = new Table();
    const counters = new StatisticsCounters();
    await counters.flush(table.write);
    counters.accepted([], at(0));
    await counters.flush(table.write, at(1));
    await counters.flush(table.write, at(2));
    expect(table.writes).toBe(1);
  });

  it('counts by PostgreSQL’s clock after the first write when the clock of the process is an hour behind', async () => {
    const table = new Table();
    table.aheadMs = 3_600_000;
    const counters = new StatisticsCounters();
    counters.accepted(['before']);
    await counters.flush(table.write);
    counters.accepted(['after']);
    await counters.flush(table.write);
    const minuteOf = (consumer: string) =>
      [...table.rows.values()].find(({ consumerId }) => consumerId === consumer)?.minute.getTime() ?? 0;
    expect(Math.round((minuteOf('after') - minuteOf('before')) / 3_600_000)).toBe(1);
  });

  it('counts every attempt exactly once despite failed writes', async () => {
    const step = fc.record({
      consumer: fc.constantFrom('a', 'b'),
      seconds: fc.integer({ min: 0, max: 50 }),
      next: fc.constantFrom('nothing' as const, 'write' as const, 'fail' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const table = new Table();
        const counters = new StatisticsCounters();
        let seconds = 0;
        for (const { consumer, seconds: passed, next } of steps) {
          seconds += passed;
          counters.attempted(
            { consumerId: consumer, succeeded: true, end: 'delivered', latencyMs: 1 },
            at(seconds),
          );
          if (next === 'nothing') continue;
          table.isUnavailable = next === 'fail';
          await counters.flush(table.write, at(seconds)).catch(() => undefined);
        }
        table.isUnavailable = false;
        await counters.flush(table.write, at(seconds));
        expect(table.sum('delivered', null)).toBe(steps.length);
        expect(table.sum('delivered', 'a') + table.sum('delivered', 'b')).toBe(steps.length);
      }),
    );
  });
});
