import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { OwnPostgres } from './own-postgres.js';
import { OwnRedis } from './own-redis.js';
import { canMountRamDisk } from './ram-disk.js';
import { waitUntil } from './wait-until.js';

describe('OwnPostgres', () => {
  test('OwnPostgres keeps port and committed data across a stop and a crash, and remove deletes its folder', async () => {
    const postgres = await OwnPostgres.create();
    try {
      await query(postgres, 'create table kept (n int)');
      for (const hard of [false, true]) {
        await query(postgres, 'insert into kept values (1)');
        await postgres.stop({ hard });
        await expect(query(postgres, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
        await postgres.start();
      }
      expect(await query(postgres, 'select n from kept')).toHaveLength(2);
    } finally {
      await postgres.remove();
    }
    expect(existsSync(postgres.dataFolder)).toBe(false);
  });
});

const canMount = await canMountRamDisk();

(canMount ? describe : describe.skip)('OwnPostgres with a full disk', () => {
  let postgres: OwnPostgres;
  beforeAll(async () => {
    postgres = await OwnPostgres.create({ ownDisk: true });
    await query(postgres, 'create table kept (text text)');
  });
  afterAll(() => postgres.remove());

  const write = (): Promise<unknown[]> =>
    query(postgres, `insert into kept select repeat('x', 1000) from generate_series(1, 1000)`);

  test('PostgreSQL with a full disk refuses writes, still reads, and writes again once space is free', async () => {
    await write();
    await postgres.disk?.fill();
    await expect(write()).rejects.toMatchObject({ code: '53100' });
    expect(await query(postgres, 'select text from kept')).toHaveLength(1_000);
    await postgres.disk?.addSpace();
    await write();
    expect(await query(postgres, 'select text from kept')).toHaveLength(2_000);
  });

  test('PostgreSQL that cannot extend its WAL crashes and keeps the committed data after a restart', async () => {
    await postgres.disk?.fill();
    await query(postgres, 'select pg_switch_wal()');
    const remove = query(postgres, `delete from kept where ctid = '(0,1)'`);
    await expect(remove).rejects.toThrow(/No space left on device|terminated/);
    await waitUntil(() => !postgres.isRunning, { what: 'PostgreSQL to crash' });
    await postgres.disk?.addSpace();
    await postgres.start();
    expect(await query(postgres, 'select text from kept')).toHaveLength(2_000);
  });

  test('OwnPostgres unmounts its RAM disk when it is removed', async () => {
    const { dataFolder } = postgres;
    expect(await readFile('/proc/mounts', 'utf8')).toContain(dirname(dataFolder));
    await postgres.remove();
    expect(await readFile('/proc/mounts', 'utf8')).not.toContain(dirname(dataFolder));
  });
});

describe('OwnRedis', () => {
  test('OwnRedis keeps its port and data across a stop and a kill', async () => {
    const redis = await OwnRedis.create();
    try {
      for (const hard of [false, true]) {
        await withClient(redis, (client) => client.rpush('kept', 'x'));
        await redis.stop({ hard });
        await redis.start();
      }
      expect(await withClient(redis, (client) => client.llen('kept'))).toBe(2);
    } finally {
      await redis.remove();
    }
  });
});

async function query(postgres: OwnPostgres, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: postgres.adminUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function withClient<T>(redis: OwnRedis, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(redis.url);
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}
