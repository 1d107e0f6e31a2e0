import { describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { OwnPostgres } from './own-postgres.js';
import { OwnRedis } from './own-redis.js';

describe("a PostgreSQL of one's own", () => {
  test('keeps port and committed data over a stop and over a crash, and leaves nothing behind', async () => {
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

describe("a Redis of one's own", () => {
  test('keeps port and data over a stop and over a kill', async () => {
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
