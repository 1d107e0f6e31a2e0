import { once } from 'node:events';
import { createServer, connect, type Socket } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { isUnavailable, openDatabase, Pipeline } from '#libs/database';
import { sql } from 'kysely';
import { createTestDatabase } from '#test/support/test-database';
import { waitUntil } from '#test/support/wait-until';

const database = await createTestDatabase();
afterAll(() => database.drop());

/** A proxy to PostgreSQL that can drop the data of its connections without a sign to either side. */
async function startProxy(to: { host: string; port: number }) {
  const open = new Set<[Socket, Socket]>();
  // Either side may end its writing and still read.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ ...to, allowHalfOpen: true });
    const pair: [Socket, Socket] = [client, upstream];
    open.add(pair);
    for (const socket of pair) socket.on('error', () => undefined);
    client.pipe(upstream).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    dropAll: () => {
      for (const [client, upstream] of open) {
        client.unpipe(upstream).resume();
        upstream.unpipe(client).resume();
      }
    },
    /** Drops requests from now on. The client still receives what the server sends. */
    dropRequests: () => {
      for (const [client, upstream] of open) client.unpipe(upstream).resume();
    },
    /** Resolves when the server has closed every connection and the proxy's client side has closed too. */
    closedByServer: async () => {
      for (const [client] of open) if (!client.closed) await once(client, 'close');
    },
    close: async () => {
      for (const pair of open) for (const socket of pair) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

it('a database connection without answers fails its statement as unavailable, and the pool replaces it', async () => {
  const url = new URL(database.url);
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const db = openDatabase({ url: url.href, poolSize: 1, queryTimeoutMs: 400 });
  try {
    await sql`select 1`.execute(db);
    proxy.dropAll();
    const fault: unknown = await sql`select 1`.execute(db).catch((error: unknown) => error);
    expect(isUnavailable(fault)).toBe(true);
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  } finally {
    await db.destroy();
    await proxy.close();
  }
});

it('a database connection that the server ends while its pool closes is not reported as a fault', async () => {
  const url = new URL(database.url);
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const faults: Error[] = [];
  const db = openDatabase({ url: url.href, poolSize: 1, onIdleError: (error) => faults.push(error) });
  const server = openDatabase({ url: database.url, poolSize: 1 });
  try {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    proxy.dropRequests();
    await db.destroy();
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(server);
    await proxy.closedByServer();
    expect(faults).toEqual([]);
  } finally {
    await server.destroy();
    await proxy.close();
  }
});

it('a process that stalls in a transaction soon loses its locks, and its next statement fails as unavailable', async () => {
  const [stalled, others] = [1, 2].map(() => openDatabase({ url: database.url, poolSize: 1 }));
  if (stalled === undefined || others === undefined) throw new Error('two pools were opened');
  try {
    const suspended = await stalled.startTransaction().execute();
    await sql`select from dispatcher_state for update`.execute(suspended);
    expect((await sql`select from dispatcher_state for update`.execute(others)).rows).toHaveLength(1);
    const fault: unknown = await sql`select 1`.execute(suspended).catch((error: unknown) => error);
    expect(isUnavailable(fault)).toBe(true);
    await suspended
      .rollback()
      .execute()
      .catch(() => undefined);
  } finally {
    await Promise.all([stalled.destroy(), others.destroy()]);
  }
});

it('a pipeline that has run only text statements closes its connections', async () => {
  const pipeline = new Pipeline({ url: database.url, poolSize: 1 });
  const pidOf = { name: 'pid', text: 'select pg_backend_pid() as pid' };
  const [{ pid } = { pid: 0 }] = await pipeline.query<{ pid: number }>(pidOf, []);
  await pipeline.close();
  const db = openDatabase({ url: database.url, poolSize: 1 });
  const isClosed = async (): Promise<boolean> =>
    (await sql`select from pg_stat_activity where pid = ${pid}`.execute(db)).rows.length === 0;
  expect(await waitUntil(isClosed, { what: 'the connection to be closed' })).toBe(true);
  await db.destroy();
});
