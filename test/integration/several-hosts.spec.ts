import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isUnavailable, openDatabase, type Queryable } from '#libs/database';
import { prepareQueueBackend } from '#libs/queue';
import { sql } from 'kysely';
import { freePort } from '#test/support/free-port';
import { openQueue } from '#test/support/open-queue';
import { OwnPostgres } from '#test/support/own-postgres';
import { runSql } from '#test/support/run-sql';
import { waitUntil } from '#test/support/wait-until';

/** The run's server can write; the other one is a standby until the second test. */
const writable = new URL(process.env['TEST_PG_ADMIN_URL'] ?? '');
let standby: OwnPostgres;
beforeAll(async () => {
  standby = await OwnPostgres.create({ durable: false });
  await standby.stop();
  await writeFile(join(standby.dataFolder, 'standby.signal'), '');
  await standby.start();
});
afterAll(() => standby.remove());

/** A URL of these hosts, in their order, on the loopback. */
const urlOf = (...ports: (number | string)[]): string =>
  `postgres://${writable.username}:${writable.password}@${ports.map((port) => `127.0.0.1:${port}`).join()}` +
  `${writable.pathname}?target_session_attrs=read-write`;

const portOf = async (db: Queryable): Promise<string | undefined> =>
  (await sql<{ port: string }>`select current_setting('port') as port`.execute(db)).rows[0]?.port;

test('of several hosts a pool uses the one that can write, also when the first ones are unreachable and a standby', async () => {
  const db = openDatabase({ url: urlOf(await freePort(), standby.port, writable.port), poolSize: 3 });
  const none = openDatabase({ url: urlOf(standby.port), poolSize: 1 });
  try {
    expect(await Promise.all([portOf(db), portOf(db), portOf(db)])).toEqual(Array(3).fill(writable.port));
    const fault: unknown = await portOf(none).catch((error: unknown) => error);
    expect(fault).toMatchObject({ message: `127.0.0.1:${standby.port} cannot write: in_hot_standby is on` });
    expect(isUnavailable(fault)).toBe(true);
  } finally {
    await Promise.all([db.destroy(), none.destroy()]);
  }
});

test('the queue in PostgreSQL prepares, works and listens at the host that can write', async () => {
  const namespace = `hosts_${randomUUID().replaceAll('-', '').slice(0, 20)}`;
  const config = { backend: 'postgres', url: urlOf(standby.port, writable.port), namespace } as const;
  await openDatabase({ url: config.url, poolSize: 1 }).connection().execute(portOf);
  await prepareQueueBackend(config);
  await using open = await openQueue(config);
  await using worker = await open.work(undefined, 1);
  await open.queue.addConsumers([randomUUID()]);
  expect(await worker.waitForStarted(1)).toHaveLength(1);
  await waitUntil(
    async () => {
      const listening =
        "select from pg_stat_activity where query like '%LISTEN bullmq_jobs%' and pid <> pg_backend_pid()";
      return (await runSql(writable.href, listening)).length > 0;
    },
    { what: 'a connection that listens for jobs' },
  );
});

test('a pool follows a promotion, and leaves a server that became read-only', async () => {
  const gone = await freePort();
  const db = openDatabase({ url: urlOf(gone, standby.port, writable.port), poolSize: 1 });
  try {
    await runSql(standby.adminUrl, 'select pg_promote()');
    expect(await portOf(db)).toBe(String(standby.port));
    await runSql(standby.adminUrl, 'alter system set default_transaction_read_only = on');
    await runSql(standby.adminUrl, 'select pg_reload_conf()');
    await waitUntil(async () => (await portOf(db)) === writable.port, {
      what: 'the pool to use the server that can still write',
    });
  } finally {
    await db.destroy();
  }
});
