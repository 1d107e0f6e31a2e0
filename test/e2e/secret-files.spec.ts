import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '#test/support/api-client';
import { Customer } from '#test/support/customer';
import { startProcess } from '#test/support/started-process';
import { achChange } from '#test/support/status-changes';
import { newKey, TEST_ENVIRONMENT } from '#test/support/system';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';
import { waitUntil } from '#test/support/wait-until';

const PROJECT = join(import.meta.dirname, '../..');

let folder: TemporaryFolder;
let database: TestDatabase;
let secrets: Record<string, string>;
let env: Record<string, string>;
beforeAll(async () => {
  [folder, database] = await Promise.all([temporaryFolder('secrets'), createTestDatabase()]);
  const url = new URL(database.url);
  const password = decodeURIComponent(url.password);
  url.password = '';
  secrets = {
    ADMIN_API_KEY: randomBytes(24).toString('hex'),
    SECRETS_KEYRING: newKey('k1'),
    DATABASE_URL: url.href,
    DATABASE_PASSWORD: password,
    REDIS_URL: process.env['TEST_REDIS_URL'] ?? '',
  };
  env = { ...TEST_ENVIRONMENT, QUEUE_NAMESPACE: `files_${randomBytes(6).toString('hex')}` };
  for (const [name, secret] of Object.entries(secrets)) {
    const path = join(folder.path, name.toLowerCase());
    await writeFile(path, `${secret}\n`);
    env[`${name}_FILE`] = path;
  }
});
afterAll(async () => {
  await database.drop();
  await folder.remove();
});

test('migration, api, worker, re-encryption and health check read their secrets from files', async () => {
  const { NODE_COMPILE_CACHE } = process.env;
  const run = async (file: string, args: readonly string[] = [], more: object = {}): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(PROJECT, file), ...args], {
      env: { NODE_COMPILE_CACHE, ...env, ...more },
    });
    return stdout;
  };
  const [migrated, api, worker] = await Promise.all([
    run('dist/apps/api/migrate.js', [], { QUEUE_BACKEND: 'postgres' }),
    startProcess({ app: 'api', env }).then((process) => process.waitForReady()),
    startProcess({ app: 'worker', env }).then((process) => process.waitForReady()),
  ]);
  expect(migrated).toMatch(/has all migrations/);

  const client = new ApiClient(api.baseUrl, secrets['ADMIN_API_KEY'] ?? '');
  const acme = await Customer.onboard(client);
  await acme.waitForAcknowledged(await client.acceptAll([achChange(acme.company, randomUUID())]));

  const [reencrypted] = await Promise.all([
    run('dist/apps/api/reencrypt.js', ['--dry-run']),
    // Repeated, as the platform repeats it: a starved machine may need longer than the 3 s of one check.
    ...[api, worker].map(({ port }) =>
      waitUntil(async () => run('scripts/is-ready.mjs', [], { PORT: String(port) }).then(() => true), {
        what: 'the health check to succeed',
      }),
    ),
  ]);
  expect(reencrypted).toMatch(/^in use: k1, by \d+ version/m);
  for (const name of ['ADMIN_API_KEY', 'SECRETS_KEYRING'])
    expect(api.output + worker.output).not.toContain(secrets[name]);
}, 60_000);

test('a process whose secret file is missing ends with advice', async () => {
  const path = join(folder.path, 'missing');
  const worker = await startProcess({ app: 'worker', env: { ...env, SECRETS_KEYRING_FILE: path } });
  expect(await worker.exited).toEqual({ code: 1, signal: null });
  expect(worker.output).toContain(
    `  - SECRETS_KEYRING cannot be read from ${path} (SECRETS_KEYRING_FILE): the file does not exist; mount the secret there`,
  );
});
