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
  expectedDeliveries: number;
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

/** Runs `npm run chaos` with these arguments. */
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
      throw new Error(`the suite did not end normally:\n${suite.output}`, { cause: error });
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
  history: 0,
  late: 0,
};

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

describe('the chaos suite finds a planted fault', () => {
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

  test('the chaos suite reports a recorded attempt of a superseded session', () => {
    const { code, report } = noFence;
    const { history = 0, ...others } = report.violations;
    expect({ code, others }).toEqual({ code: 1, others: { ...others, lost: 0, outOfOrder: 0 } });
    expect(history).toBeGreaterThan(0);
    expect(report.samples['history']?.join('\n')).toMatch(
      /attempt 1 was recorded although session \d+ had been opened/,
    );
  });

  const NOTHING_WRONG = { outOfOrder: 0, foreign: 0, badSignatures: 0, differentBytes: 0 };

  test('the chaos suite reports a status that stays parked although the previous one was delivered', () => {
    const { code, report } = noParkingRelease;
    expect(code).toBe(1);
    expect(report.violations['lost']).toBeGreaterThan(0);
    expect(report.violations).toMatchObject(NOTHING_WRONG);
  });

  test('the chaos suite reports deliveries that are lost without reconcile after the queue was emptied', () => {
    const { code, report } = noReconcile;
    expect(code).toBe(1);
    expect(report.violations['lost']).toBeGreaterThan(0);
    expect(report.violations).toMatchObject(NOTHING_WRONG);
  });
});

describe('without the planted fault', () => {
  let outcomes: Map<string, Outcome>;
  beforeAll(async () => {
    outcomes = new Map(
      await Promise.all(PLANTED.map(async (name) => [name, await chaos('--scenario', name)] as const)),
    );
  });

  test.each(PLANTED)('the scenario %s finds nothing without its planted fault', (name) => {
    const outcome = outcomes.get(name);
    expect(outcome?.report.violations).toEqual(CLEAN);
    expect(outcome).toMatchObject({ code: 0 });
  });
});
