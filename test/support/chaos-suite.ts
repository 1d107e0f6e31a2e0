import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FaultName } from '#test/chaos/faults';
import { RunningCommand } from '#test/support/running-command';
import { temporaryFolder } from '#test/support/temporary-folder';

const MAIN = join(import.meta.dirname, '../chaos/main.ts');
const NODE_OPTIONS = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];

interface Report {
  expectedDeliveries: number;
  faults: Record<string, number>;
  schedule: { kind: FaultName }[];
  violations: Record<string, number>;
  samples: Record<string, string[]>;
}

export interface Outcome {
  code: number | null;
  output: string;
  lastLine: string | undefined;
  report: Report;
}

/** Runs `npm run chaos` with these arguments. */
export async function chaos(...args: string[]): Promise<Outcome> {
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

/** The violations of a run without any. */
export const CLEAN = {
  lost: 0,
  outOfOrder: 0,
  foreign: 0,
  badSignatures: 0,
  differentBytes: 0,
  history: 0,
  late: 0,
  unserved: 0,
};
