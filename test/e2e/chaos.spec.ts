import { expect, test } from 'vitest';
import { FAULT_KINDS, type FaultName } from '#test/chaos/faults';
import { chaos, CLEAN } from '#test/support/chaos-suite';

/** One short run in `npm test`; longer runs with other seeds on both queues in `npm run test:long`. */
const RUNS =
  process.env['LONG_TESTS'] === 'true'
    ? [
        { seed: 1, seconds: 90, queue: 'redis' },
        { seed: 2, seconds: 90, queue: 'redis' },
        { seed: 11, seconds: 90, queue: 'postgres' },
      ]
    : [{ seed: 7, seconds: 24, queue: 'redis' }];

/** A blackhole is too long for a short run; only root on Linux can fill a disk. The queue on PostgreSQL has no Redis. */
const isOptional = (kind: FaultName, queue: string): boolean =>
  ['blackhole', 'PostgreSQL disk full'].includes(kind) || (queue === 'postgres' && kind.includes('Redis'));

test.each(RUNS)(
  'delivers every accepted event in order while processes, servers and links fail: seed $seed, queue on $queue',
  async ({ seed, seconds, queue }) => {
    const { code, output, lastLine, report } = await chaos(
      '--seconds',
      String(seconds),
      '--seed',
      String(seed),
      '--rate',
      '30',
      '--backend',
      queue,
    );
    expect(report.violations).toEqual(CLEAN);
    expect(lastLine).toMatch(
      /^chaos: 0 lost, 0 out of order, 0 foreign, 0 bad signatures, 0 different bytes, \d+ duplicates of \d+$/,
    );
    expect({ code, output }).toEqual({ code: 0, output });
    const kinds = new Set(report.schedule.map(({ kind }) => kind));
    expect(FAULT_KINDS.filter((kind) => !kinds.has(kind) && !isOptional(kind, queue))).toEqual([]);
    expect(Object.values(report.faults).reduce((sum, count) => sum + count, 0)).toBe(report.schedule.length);
    expect(report.expectedDeliveries).toBeGreaterThan(200);
  },
);
