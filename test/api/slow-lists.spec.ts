import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { wireExample } from '#libs/contracts';
import { Client } from 'pg';
import { System } from '#test/support/system';

let system: System;
let locked: Client;

beforeAll(async () => {
  system = await System.start({ backend: 'redis', workers: 0 });
  locked = new Client({ connectionString: system.databaseUrl });
  locked.on('error', () => undefined);
  await locked.connect();
});
afterAll(async () => {
  await locked.end();
  await system.stop();
});

it('lists that take too long are given up with words, and keep nobody from accepting', async () => {
  await locked.query('begin; lock table deliveries in access exclusive mode');
  let givenUp = 0;
  const lists = Array.from({ length: 12 }, async () => {
    const answer = await system.client.call<{ detail: string }>('GET', '/v1/deliveries');
    if (answer.status === 504) givenUp += 1;
    return answer;
  });
  const change = wireExample({ paymentId: 'quick' });
  expect((await system.client.call('POST', '/v1/events', change)).status).toBe(202);
  expect(givenUp).toBe(0);
  const answers = await Promise.all(lists);
  const narrow = answers.filter(({ status }) => status === 504);
  expect(narrow.length).toBeGreaterThanOrEqual(4);
  expect(narrow[0]?.body.detail).toContain('Narrow the filter');
  for (const { status, body } of answers.filter((answer) => answer.status !== 504)) {
    expect([status, body.detail]).toEqual([503, expect.stringContaining('busy with other lists')]);
  }
  await locked.query('rollback');
  expect((await system.client.call('GET', '/v1/deliveries')).status).toBe(200);
});
