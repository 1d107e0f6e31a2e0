import { once } from 'node:events';
import { createServer, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isUnavailable, openDatabase } from '#libs/database';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A way to PostgreSQL whose connections can be made to lead nowhere, without a word to either side. */
async function startWay(to: { host: string; port: number }) {
  const open = new Set<[Socket, Socket]>();
  // Either side may have said all, and still listen.
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
    swallow: () => {
      for (const [client, upstream] of open) {
        client.unpipe(upstream).resume();
        upstream.unpipe(client).resume();
      }
    },
    /** From now on the server hears nothing, and is heard. */
    swallowRequests: () => {
      for (const [client, upstream] of open) client.unpipe(upstream).resume();
    },
    /** When the server has closed its side of every connection, and the other side has heard it. */
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

it('a connection that leads nowhere fails its statement and is replaced', async () => {
  const url = new URL(database.url);
  const way = await startWay({ host: url.hostname, port: Number(url.port) });
  url.port = String(way.port);
  const db = openDatabase({ url: url.href, poolSize: 1, queryTimeoutMs: 400 });
  try {
    await sql`select 1`.execute(db);
    way.swallow();
    const fault: unknown = await sql`select 1`.execute(db).catch((error: unknown) => error);
    expect(isUnavailable(fault)).toBe(true);
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  } finally {
    await db.destroy();
    await way.close();
  }
});

it('a connection that the server ends while its pool is being closed is no fault', async () => {
  const url = new URL(database.url);
  const way = await startWay({ host: url.hostname, port: Number(url.port) });
  url.port = String(way.port);
  const faults: Error[] = [];
  const db = openDatabase({ url: url.href, poolSize: 1, onIdleError: (error) => faults.push(error) });
  const server = openDatabase({ url: database.url, poolSize: 1 });
  try {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    way.swallowRequests();
    await db.destroy();
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(server);
    await way.closedByServer();
    expect(faults).toEqual([]);
  } finally {
    await server.destroy();
    await way.close();
  }
});

it('a process that stands still in a transaction keeps its locks from nobody for long, and finds that it is away', async () => {
  const [still, others] = [1, 2].map(() => openDatabase({ url: database.url, poolSize: 1 }));
  if (still === undefined || others === undefined) throw new Error('two pools were opened');
  try {
    const suspended = await still.startTransaction().execute();
    await sql`select from dispatcher_state for update`.execute(suspended);
    expect((await sql`select from dispatcher_state for update`.execute(others)).rows).toHaveLength(1);
    const fault: unknown = await sql`select 1`.execute(suspended).catch((error: unknown) => error);
    expect(isUnavailable(fault)).toBe(true);
    await suspended
      .rollback()
      .execute()
      .catch(() => undefined);
  } finally {
    await Promise.all([still.destroy(), others.destroy()]);
  }
});
