import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RunningCommand } from '#test/support/running-command';
import { temporaryFolder } from '#test/support/temporary-folder';

const MAIN = join(import.meta.dirname, '../chaos/main.ts');
const NODE_OPTIONS = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];

interface Report {
  promisedDeliveries: number;
  faults: Record<string, number>;
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
  repairs: 0,
};

test('whatever is killed, frozen, emptied or cut, all that was promised arrives, in order', async () => {
  const { code, output, lastLine, report } = await chaos('--seconds', '22', '--seed', '7', '--rate', '30');
  expect(report.violations).toEqual(CLEAN);
  expect(lastLine).toMatch(
    /^chaos: 0 lost, 0 out of order, 0 foreign, 0 bad signatures, 0 different bytes, \d+ duplicates of \d+$/,
  );
  expect({ code, output }).toEqual({ code: 0, output });
  expect(Object.keys(report.faults).length).toBe(13);
  expect(report.promisedDeliveries).toBeGreaterThan(200);
});

describe('the suite finds a fault that is planted in the build', () => {
  let skippedRelease: Outcome;
  let noFence: Outcome;
  let noReconciler: Outcome;
  beforeAll(async () => {
    [skippedRelease, noFence, noReconciler] = await Promise.all([
      chaos('--plant', 'skipped-release'),
      chaos('--plant', 'no-fence'),
      chaos('--plant', 'no-reconciler'),
    ]);
  });

  test('a lane that is not released after its predecessor', () => {
    const { code, report } = skippedRelease;
    expect({ code, ...report.violations }).toEqual({ code: 1, ...CLEAN, repairs: 1 });
  });

  test('a record of an attempt whose lease has run out', () => {
    const { code, report } = noFence;
    const { ledger = 0, ...others } = report.violations;
    expect({ code, others }).toEqual({ code: 1, others: { ...others, lost: 0, outOfOrder: 0, repairs: 0 } });
    expect(ledger).toBeGreaterThan(0);
    expect(report.samples['ledger']?.join('\n')).toContain('was recorded although another took over');
  });

  test('nobody who finds what an emptied queue has lost', () => {
    const { code, report } = noReconciler;
    expect(code).toBe(1);
    expect(report.violations['lost']).toBeGreaterThan(0);
    expect(report.violations).toMatchObject({
      outOfOrder: 0,
      foreign: 0,
      badSignatures: 0,
      differentBytes: 0,
    });
  });
});
