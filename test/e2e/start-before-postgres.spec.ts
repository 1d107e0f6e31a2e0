import { randomBytes } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { OwnPostgres } from '#test/support/own-postgres';
import { RunningCommand } from '#test/support/running-command';
import { startProcess, type StartedProcess } from '#test/support/started-process';
import { newKey, QUEUE_BACKENDS, TEST_ENVIRONMENT } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const WAITS = 'PostgreSQL does not accept connections yet; this process waits for it';

describe.each(QUEUE_BACKENDS)('a process that starts before PostgreSQL, with the queue on %s,', (backend) => {
  let postgres: OwnPostgres;
  let env: Record<string, string>;
  beforeAll(async () => {
    // Where it starts as a standby it refuses connections until it is promoted: "the database system is starting up".
    postgres = await OwnPostgres.create({ settings: { hot_standby: 'off' } });
    env = {
      ...TEST_ENVIRONMENT,
      DATABASE_URL: postgres.adminUrl,
      QUEUE_BACKEND: backend,
      QUEUE_NAMESPACE: `e2e_${randomBytes(8).toString('hex')}`,
      ...(backend === 'redis' ? { REDIS_URL: process.env['TEST_REDIS_URL'] ?? '' } : {}),
      SECRETS_KEYRING: newKey('k1'),
      ADMIN_API_KEY: randomBytes(24).toString('hex'),
    };
  });
  afterAll(() => postgres.remove());

  const hasWritten = (process: { output: string }, text: string): Promise<true> =>
    waitUntil(() => process.output.includes(text), { what: () => `"${text}" in ${process.output}` });

  test('waits a while when it is the migration, and then migrates', async () => {
    await postgres.stop();
    const migrate = await RunningCommand.start({
      file: process.execPath,
      args: ['dist/apps/api/src/migrate.js'],
      env,
    });
    await hasWritten(migrate, 'waiting up to 15 s for PostgreSQL: ');
    await postgres.start();
    expect(await migrate.exited).toEqual({ code: 0, signal: null });
    expect(migrate.output).toContain('migrated: 0001-first-tables');
  });

  test('logs it once, is alive and not ready meanwhile, and becomes ready when it accepts connections', async () => {
    await postgres.stop();
    const processes = await Promise.all([
      startProcess({ app: 'api', env }),
      startProcess({ app: 'worker', env }),
    ]);
    for (const each of processes) {
      await hasWritten(each, WAITS);
      expect(await statuses(each)).toEqual({ livez: 200, readyz: 503, events: 503, retryAfter: '5' });
    }

    const promote = await startAsStandby(postgres);
    for (const each of processes) expect(each.isRunning).toBe(true);
    await promote();

    for (const each of processes) {
      await each.waitForReady();
      expect(each.output.split(WAITS)).toHaveLength(2);
      expect(each.output).toMatch(/"fault":"[^"]*ECONNREFUSED[^"]*","advice":"[^"]*DATABASE_URL[^"]*"/);
      expect(each.output).toMatch(/"waitedMs":\d+,"msg":"PostgreSQL accepts connections"/);
      expect(await each.kill()).toEqual({ code: 0, signal: null });
    }
  });

  test('ends at once when it is told to stop while it waits', async () => {
    await postgres.stop();
    const worker = await startProcess({ app: 'worker', env });
    await hasWritten(worker, WAITS);
    expect(await worker.kill('SIGTERM')).toEqual({ code: 143, signal: null });
  });
});

/** How it answers the platform, and a producer. */
async function statuses({ baseUrl }: StartedProcess): Promise<Record<string, unknown>> {
  const [livez, readyz, events] = await Promise.all([
    fetch(`${baseUrl}/livez`),
    fetch(`${baseUrl}/readyz`),
    fetch(`${baseUrl}/v1/events`, { method: 'POST', body: '{}' }),
  ]);
  await Promise.all([livez, readyz, events].map((answer) => answer.arrayBuffer()));
  return {
    livez: livez.status,
    readyz: readyz.status,
    events: events.status,
    retryAfter: events.headers.get('retry-after'),
  };
}

/** Starts a server that refuses every connection since it is starting up (57P03). @returns what ends that */
async function startAsStandby(postgres: OwnPostgres): Promise<() => Promise<void>> {
  const own = async (name: string): Promise<void> => {
    const path = join(postgres.dataFolder, name);
    await writeFile(path, '');
    await chmod(path, 0o666);
  };
  await own('standby.signal');
  const started = postgres.start();
  await waitUntil(
    async () => {
      const client = new Client({ connectionString: postgres.adminUrl });
      const fault: unknown = await client.connect().catch((error: unknown) => error);
      return fault instanceof Error && 'code' in fault && fault.code === '57P03';
    },
    { what: 'PostgreSQL to refuse connections since it is starting up' },
  );
  return async () => {
    await own('promote');
    process.kill(postgres.pid, 'SIGUSR1');
    await started;
  };
}
