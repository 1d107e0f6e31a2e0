import { afterAll, beforeAll, expect, it } from 'vitest';
import { wireExample } from '#libs/contracts';
import { Client } from 'pg';
import { System } from '#test/support/system';

const system = await System.shared(0);
let other: Client;

beforeAll(async () => {
  other = new Client({ connectionString: system.databaseUrl });
  other.on('error', () => undefined);
  await other.connect();
});
afterAll(async () => {
  await other.end();
});

/** Makes every list of deliveries take half a minute. */
const SLOW = `alter table deliveries rename to real_deliveries;
  create view deliveries as
    select d.* from (select pg_sleep(30) offset 0) slow left join real_deliveries d on true`;
const NO_LONGER_SLOW = 'drop view deliveries; alter table real_deliveries rename to deliveries';

it('lists that take too long are cancelled with an explanation, and do not delay the acceptance of events', async () => {
  await other.query(SLOW);
  let timedOut = 0;
  const lists = Array.from({ length: 12 }, async () => {
    const answer = await system.client.call<{ detail: string }>('GET', '/v1/deliveries');
    if (answer.status === 504) timedOut += 1;
    return answer;
  });
  const change = wireExample({ paymentId: 'quick' });
  expect((await system.client.call('POST', '/v1/events', change)).status).toBe(202);
  expect(timedOut).toBe(0);
  const answers = await Promise.all(lists);
  const cancelled = answers.filter(({ status }) => status === 504);
  expect(cancelled.length).toBeGreaterThanOrEqual(4);
  expect(cancelled[0]?.body.detail).toContain('Narrow the filter');
  for (const { status, body } of answers.filter((answer) => answer.status !== 504)) {
    expect([status, body.detail]).toEqual([503, expect.stringContaining('busy with other lists')]);
  }
  await other.query(NO_LONGER_SLOW);
  expect((await system.client.call('GET', '/v1/deliveries')).status).toBe(200);
});

it('a list that waits for a lock gets 503 without the advice of a narrower filter, which would not help', async () => {
  await other.query('begin; lock table deliveries in access exclusive mode');
  const answer = await system.client.call<{ detail: string }>('GET', '/v1/deliveries');
  await other.query('rollback');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  expect(answer.body.detail).toMatch(/^Another operation holds a lock on the requested data/);
});
