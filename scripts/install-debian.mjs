// Installs programs that the tests need and npm does not provide: on Debian as root; elsewhere it prints the command.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** While this file exits with 101, Debian's packages start no service. */
const SERVICE_POLICY = '/usr/sbin/policy-rc.d';

const isOnPath = (program) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, program)));

function installWithoutStarting(install) {
  const isOwnPolicy = !existsSync(SERVICE_POLICY);
  if (isOwnPolicy) writeFileSync(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    return spawnSync('sh', ['-c', install], { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
  } finally {
    if (isOwnPolicy) rmSync(SERVICE_POLICY, { force: true });
  }
}

/** Ensures that one of the programs is on the PATH; installs the Debian package if necessary. */
export function ensureProgram(programs, packageName, { isRequired = true } = {}) {
  if (programs.some(isOnPath)) return;
  const install = `apt-get update && apt-get install -y --no-install-recommends ${packageName}`;
  const mayInstall = process.getuid?.() === 0 && isOnPath('apt-get');
  if (mayInstall)
    process.stdout.write(
      `The tests need ${packageName}, which is not installed. Installing it: ${install}\n`,
    );
  if (!mayInstall || !installWithoutStarting(install) || !programs.some(isOnPath)) {
    process.stderr.write(
      `The tests need ${programs.join(' or ')} on the PATH. On Debian or Ubuntu: sudo sh -c '${install}'\n`,
    );
    if (isRequired) process.exitCode = 1;
  }
}
