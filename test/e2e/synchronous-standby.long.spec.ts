import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from '#test/support/customer';
import { OwnPostgres } from '#test/support/own-postgres';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

let postgres: OwnPostgres;
let system: System;
beforeAll(async () => {
  postgres = await OwnPostgres.create();
  system = await System.start({ backend: 'redis', databaseUrl: postgres.adminUrl });
});
afterAll(async () => {
  await system.stop();
  await postgres.remove();
});

const setStandbys = async (statement: string, expected: string): Promise<void> => {
  await runSql(postgres.adminUrl, statement);
  await runSql(postgres.adminUrl, 'select pg_reload_conf()');
  await waitUntil(
    async () => {
      const [row] = await runSql<{ names: string }>(
        postgres.adminUrl,
        "select current_setting('synchronous_standby_names') as names",
      );
      return row?.names === expected;
    },
    { what: `synchronous_standby_names to be “${expected}”` },
  );
};

test('without a synchronous standby producers get 503, and the repeated event is stored and delivered once', async () => {
  const { client } = system;
  const acme = await Customer.onboard(client);
  const [change, key] = [achChange(acme.company, randomUUID()), { 'idempotency-key': randomUUID() }];
  await setStandbys("alter system set synchronous_standby_names = 'ANY 1 (b, c)'", 'ANY 1 (b, c)');
  const refused = await client.call('POST', '/v1/events', change, { headers: key });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);

  await setStandbys('alter system reset synchronous_standby_names', '');
  const repeated = await waitUntil(
    async () => {
      const answer = await client.call<{ notificationId: string }>('POST', '/v1/events', change, {
        headers: key,
      });
      return answer.status === 202 && answer.body;
    },
    { what: 'the repeated event to be accepted' },
  );
  await acme.waitForAcknowledged([repeated]);
  expect(await runSql(postgres.adminUrl, 'select id from events')).toEqual([{ id: repeated.notificationId }]);
});
