import { expect, test } from 'vitest';
import { FAULT_KINDS, type FaultKind } from '#test/chaos/fault-kinds';
import { chaos, CLEAN } from '#test/support/chaos-suite';

/** A blackhole is too long for this short run; only root on Linux can fill a disk. */
const OPTIONAL_KINDS = new Set<FaultKind>(['blackhole', 'PostgreSQL disk full']);

test('delivers everything that was accepted, in order, while processes, servers and links fail', async () => {
  const { code, output, lastLine, report } = await chaos('--seconds', '22', '--seed', '7', '--rate', '30');
  expect(report.violations).toEqual(CLEAN);
  expect(lastLine).toMatch(
    /^chaos: 0 lost, 0 out of order, 0 foreign, 0 bad signatures, 0 different bytes, \d+ duplicates of \d+$/,
  );
  expect({ code, output }).toEqual({ code: 0, output });
  const kinds = new Set(report.schedule.map(({ kind }) => kind));
  expect(new Set([...kinds, ...OPTIONAL_KINDS])).toEqual(new Set(FAULT_KINDS));
  expect(Object.values(report.faults).reduce((sum, count) => sum + count, 0)).toBe(report.schedule.length);
  expect(report.expectedDeliveries).toBeGreaterThan(200);
});
