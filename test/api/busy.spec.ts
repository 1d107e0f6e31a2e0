import { afterAll, expect, it } from 'vitest';
import { achExample } from '#libs/contracts';
import { openDatabase } from '#libs/database';
import { sql } from 'kysely';
import { System } from '#test/support/system';
import { createTestDatabase } from '#test/support/test-database';

const database = await createTestDatabase();
const db = openDatabase({ url: database.url, poolSize: 1 });
const system = await System.start({ backend: 'redis', workers: 0, databaseUrl: database.url });
afterAll(async () => {
  await system.stop();
  await db.destroy();
  await database.drop();
});

/** Statements that make PostgreSQL raise an error when a payment is locked. */
const raise = (code: string) => [
  `create function lose() returns trigger language plpgsql as
     $$ begin raise exception 'lost' using errcode = '${code}'; end $$`,
  'create trigger lose before insert on payments for each row execute function lose()',
];
const STOP_RAISING = ['drop trigger lose on payments', 'drop function lose'];

/** Statements that change the routing version at every read. */
const CHANGING = [
  'alter table dispatcher_state rename to real_state',
  `create view dispatcher_state as
     select (extract(epoch from clock_timestamp()) * 1000000)::bigint as routing_version, paused_at from real_state`,
];
const STOP_CHANGING = ['drop view dispatcher_state', 'alter table real_state rename to dispatcher_state'];

const run = async (statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};

it.each([
  ['deadlocks', raise('40P01'), STOP_RAISING],
  ['cannot be serialized', raise('40001'), STOP_RAISING],
  ['waits too long for a lock', raise('55P03'), STOP_RAISING],
  ['finds the consumers changed', CHANGING, STOP_CHANGING],
])(
  'a status change that %s on every attempt gets 503 with Retry-After, and is accepted later',
  async (what, set, reset) => {
    const change = achExample({ transactionId: what });
    const calls = [
      { path: '/v1/events', body: change },
      { path: '/v1/events/batch', body: { events: [{ ...change, idempotencyKey: what }, {}] } },
    ];
    await run(set);
    try {
      for (const { path, body } of calls) {
        const answer = await system.client.call<{ detail: string }>('POST', path, body);
        // An unreachable PostgreSQL has another answer.
        expect(answer.body.detail).toMatch(/^Too many concurrent changes/);
        expect({ path, status: answer.status, after: answer.headers.get('retry-after') }).toEqual({
          path,
          status: 503,
          after: '2',
        });
        expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      }
    } finally {
      await run(reset);
    }
    for (const { path, body } of calls)
      expect((await system.client.call('POST', path, body)).status).toBe(202);
  },
);
