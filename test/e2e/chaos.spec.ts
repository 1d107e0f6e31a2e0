import { beforeAll, describe, expect, test } from 'vitest';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FAULT_KINDS, type FaultKind } from '#test/chaos/fault-kinds';
import { PLANTED } from '#test/chaos/planted-faults';
import { RunningCommand } from '#test/support/running-command';
import { temporaryFolder } from '#test/support/temporary-folder';

const MAIN = join(import.meta.dirname, '../chaos/main.ts');
const NODE_OPTIONS = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];

interface Report {
  promisedDeliveries: number;
  faults: Record<string, number>;
  schedule: { kind: FaultKind }[];
  violations: Record<string, number>;
  samples: Record<string, string[]>;
}

interface Outcome {
  code: number | null;
  output: string;
  lastLine: string | undefined;
  report: Report;
}

/** Runs the suite as `npm run chaos` does. */
async function chaos(...args: string[]): Promise<Outcome> {
  const folder = await temporaryFolder('chaos');
  try {
    const json = join(folder.path, 'report.json');
    const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
    const suite = await RunningCommand.start({
      file: process.execPath,
      args: [...NODE_OPTIONS, MAIN, '--json', json, ...args],
      env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE },
    });
    const { code } = await suite.exited;
    const text = await readFile(json, 'utf8').catch((error: unknown) => {
      throw new Error(`the suite has not come to its end:\n${suite.output}`, { cause: error });
    });
    const report: Report = JSON.parse(text);
    return { code, output: suite.output, lastLine: suite.output.trimEnd().split('\n').at(-1), report };
  } finally {
    await folder.remove();
  }
}

const CLEAN = {
  lost: 0,
  outOfOrder: 0,
  foreign: 0,
  badSignatures: 0,
  differentBytes: 0,
  ledger: 0,
  late: 0,
};

/** One lasts too long for a run as short as this one; to fill a disk takes root on Linux. */
const CANNOT_BE = new Set<FaultKind>(['blackhole', 'PostgreSQL disk full']);

test('whatever is killed, frozen, emptied or cut, all that was promised arrives, in order', async () => {
  const { code, output, lastLine, report } = await chaos('--seconds', '22', '--seed', '7', '--rate', '30');
  expect(report.violations).toEqual(CLEAN);
  expect(lastLine).toMatch(
    /^chaos: 0 lost, 0 out of order, 0 foreign, 0 bad signatures, 0 different bytes, \d+ duplicates of \d+$/,
  );
  expect({ code, output }).toEqual({ code: 0, output });
  const kinds = new Set(report.schedule.map(({ kind }) => kind));
  expect(new Set([...kinds, ...CANNOT_BE])).toEqual(new Set(FAULT_KINDS));
  expect(Object.values(report.faults).reduce((sum, count) => sum + count, 0)).toBe(report.schedule.length);
  expect(report.promisedDeliveries).toBeGreaterThan(200);
});

describe('the suite finds a fault that is planted in the build', () => {
  let noFence: Outcome;
  let noParkingRelease: Outcome;
  let noReconcile: Outcome;
  beforeAll(async () => {
    [noFence, noParkingRelease, noReconcile] = await Promise.all([
      chaos('--plant', 'no-fence'),
      chaos('--plant', 'no-parking-release'),
      chaos('--plant', 'no-reconcile'),
    ]);
  });

  test('a record of an attempt whose session was superseded', () => {
    const { code, report } = noFence;
    const { ledger = 0, ...others } = report.violations;
    expect({ code, others }).toEqual({ code: 1, others: { ...others, lost: 0, outOfOrder: 0 } });
    expect(ledger).toBeGreaterThan(0);
    expect(report.samples['ledger']?.join('\n')).toMatch(
      /attempt 1 was recorded although session \d+ had been opened/,
    );
  });

  const NOTHING_WRONG = { outOfOrder: 0, foreign: 0, badSignatures: 0, differentBytes: 0 };

  test('a status that waits on although the one before it was delivered', () => {
    const { code, report } = noParkingRelease;
    expect(code).toBe(1);
    expect(report.violations['lost']).toBeGreaterThan(0);
    expect(report.violations).toMatchObject(NOTHING_WRONG);
  });

  test('nobody who finds what an emptied queue has lost', () => {
    const { code, report } = noReconcile;
    expect(code).toBe(1);
    expect(report.violations['lost']).toBeGreaterThan(0);
    expect(report.violations).toMatchObject(NOTHING_WRONG);
  });
});

describe('the scenario of a planted fault comes to no harm on a build without the fault:', () => {
  let outcomes: Map<string, Outcome>;
  beforeAll(async () => {
    outcomes = new Map(
      await Promise.all(PLANTED.map(async (name) => [name, await chaos('--scenario', name)] as const)),
    );
  });

  test.each(PLANTED)('%s', (name) => {
    const outcome = outcomes.get(name);
    expect(outcome?.report.violations).toEqual(CLEAN);
    expect(outcome).toMatchObject({ code: 0 });
  });
});
