// The tests start Redis servers of their own, so they need the program. As root on Debian this installs it.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const INSTALL = 'apt-get update && apt-get install -y --no-install-recommends redis-server';

/** While this file answers 101, Debian's packages start no service of their own. */
const SERVICE_POLICY = '/usr/sbin/policy-rc.d';

const isOnPath = (program) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, program)));

function installWithoutStartingIt() {
  const policyIsOurs = !existsSync(SERVICE_POLICY);
  if (policyIsOurs) writeFileSync(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    return spawnSync('sh', ['-c', INSTALL], { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
  } finally {
    if (policyIsOurs) rmSync(SERVICE_POLICY, { force: true });
  }
}

if (!isOnPath('redis-server')) {
  const mayInstall = process.getuid?.() === 0 && isOnPath('apt-get');
  if (mayInstall)
    process.stdout.write(`The tests need redis-server, which is not installed. Installing it: ${INSTALL}\n`);
  if (!mayInstall || !installWithoutStartingIt() || !isOnPath('redis-server')) {
    process.stderr.write(
      `The tests need redis-server on the PATH. On Debian or Ubuntu: sudo sh -c '${INSTALL}'\n`,
    );
    process.exitCode = 1;
  }
}
