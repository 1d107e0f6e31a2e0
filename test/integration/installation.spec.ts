import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { secretsOf } from '#apps/standalone/src/installation';
import { RunningCommand } from '#test/support/running-command';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder('installation');
});
afterEach(() => folder.remove());

const BUILT_MODULE = join(import.meta.dirname, '../../dist/apps/standalone/src/installation.js');

it('a start that is interrupted while it writes its secrets leaves no file, and the next start makes them', async () => {
  // The file size limit is 0 bytes, so the write itself fails or ends the process.
  const command = await RunningCommand.start({
    file: '/bin/sh',
    args: [
      '-c',
      'ulimit -c 0; ulimit -f 0; exec "$0" --input-type=module -e "$1"',
      process.execPath,
      `import { secretsOf } from ${JSON.stringify(BUILT_MODULE)}; secretsOf(${JSON.stringify(folder.path)});`,
    ],
  });
  expect((await command.exited).code).not.toBe(0);
  expect(readdirSync(folder.path)).not.toContain('secrets.json');

  expect(secretsOf(folder.path).isNew).toBe(true);
  expect(secretsOf(folder.path).isNew).toBe(false);
});

it('a start replaces the half-written secrets of a killed start with a file that only its owner may read', () => {
  writeFileSync(join(folder.path, 'secrets.json.unfinished'), '{"keyr', { mode: 0o644 });
  expect(secretsOf(folder.path).isNew).toBe(true);
  expect(readdirSync(folder.path)).toEqual(['secrets.json']);
  expect(statSync(join(folder.path, 'secrets.json')).mode & 0o777).toBe(0o600);
});
