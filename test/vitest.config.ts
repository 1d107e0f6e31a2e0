import { sep } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders of long files, which alternate: e2e files mostly wait, and browser files mostly compute. */
const LONG_FOLDERS = ['e2e', 'browser'];
const MIDDLE_FOLDERS = ['docs', 'integration', 'api'];

/** Starts long files first: otherwise a run ends with idle processors next to one file that waits a minute. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const inFolder = (folder: string) =>
      files.filter(({ moduleId }) => moduleId.includes(`${sep}test${sep}${folder}${sep}`));
    const long = LONG_FOLDERS.map(inFolder);
    const alternating = Array.from({ length: Math.max(...long.map((of) => of.length)) }, (_, index) =>
      long.flatMap((of) => of.slice(index, index + 1)),
    );
    const first = new Set([...alternating.flat(), ...MIDDLE_FOLDERS.flatMap(inFolder)]);
    return [...first, ...files.filter((file) => !first.has(file))];
  }
}

/** Set by `npm run test:long`. */
const isLong = process.env['LONG_TESTS'] === 'true';
const LONG = 'test/**/*.long.spec.ts';
/** Specs of `npm test` that the long tests repeat: on PostgreSQL's queue (QUEUE_BACKENDS), or with greater numbers. */
const REPEATED = [
  'test/e2e/{absent-worker,chaos,cut-over,delivery,graceful-stop,holds,killed-workers,point-in-time-recovery,replay,start-before-postgres,two-workers}.spec.ts',
  'test/api/fuzz.spec.ts',
  'test/integration/queue-timers.spec.ts',
];

/**
 * The tests of statements, processes and screens. Files share their process (`isolate: false`), so that Nest and the
 * other libraries are loaded once, not once for each file. The libraries and the product are loaded by Node from `dist/`.
 */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  ssr: { resolve: { conditions: ['node', 'default'], externalConditions: ['node', 'default'] } },
  test: {
    include: isLong ? [LONG, ...REPEATED] : ['test/**/*.spec.ts'],
    exclude: isLong ? [] : [LONG],
    pool: 'forks',
    isolate: false,
    // Many files wait for timers and processes: two cores are busy with six of them.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst, hooks: 'stack' },
    server: { deps: { external: [/\/dist\//, /\/node_modules\//] } },
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: 'test/support/setup-file.ts',
    // Longer than all waits of a test together: each wait (test/support/wait-until.ts) reports what it waited for.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    teardownTimeout: 30_000,
  },
});
