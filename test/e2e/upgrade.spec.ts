import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunningCommand } from '#test/support/running-command';

const MAIN = join(import.meta.dirname, '../upgrade/main.ts');

test('the last release is upgraded to this version and back under load: nothing lost, out of order, foreign, refused or delivered twice', async () => {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const program = await RunningCommand.start({
    file: process.execPath,
    args: ['--experimental-transform-types', '--disable-warning=ExperimentalWarning', MAIN, '--short'],
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE },
  });
  const { code } = await program.exited;
  const { output } = program;
  expect(output).toMatch(
    /^upgrade: 0 lost, 0 out of order, 0 foreign, 0 other faults, 0 refused, 0 duplicates of \d{3,};/m,
  );
  expect({ code, output }).toEqual({ code: 0, output });
});
