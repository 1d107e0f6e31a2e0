import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProducer } from '#packages/client';
import { acceptedStatuses } from '#test/support/accepted-statuses';
import { newProducer } from '#test/support/new-producer';
import { WIRE_SEQUENCE } from '#test/support/status-changes';
import { System } from '#test/support/system';

let system: System;
beforeAll(async () => {
  system = await System.start({ backend: 'redis', workers: 0 });
});
afterAll(() => system.stop());

/** Kills the api, and starts it again on the same port without waiting for it. */
async function restart(): Promise<Promise<unknown>> {
  await system.api.kill('SIGKILL');
  return system.replaceApi();
}

test('a producer loses and doubles no event when the api is killed after a commit and during a request', async () => {
  const { name, key } = await newProducer(system.client);
  const restarts: Promise<unknown>[] = [];
  let requests = 0;
  const producer = createProducer({
    baseUrl: system.api.baseUrl,
    apiKey: key,
    deadlineMs: 120_000,
    fetch: async (request) => {
      requests += 1;
      const answer = fetch(request);
      if (requests === 2) {
        // Everything is committed, and the answer is lost.
        await answer;
        restarts.push(restart());
        throw new TypeError('the answer is lost');
      }
      if (requests === 5) restarts.push(restart());
      return answer;
    },
  });
  const payments = Array.from({ length: 40 }, (_, index) => `W-${String(index)}`);
  const calls: ReturnType<typeof producer.post>[] = [];
  // Each flush begins a request; the statuses after it wait for the answer.
  for (const status of WIRE_SEQUENCE)
    for (const paymentId of payments) {
      calls.push(
        producer.post({
          eventType: 'wire.status',
          eventDateTime: '2025-11-20T09:30:00Z',
          data: { wireEventInfo: { paymentId, status } },
        }),
      );
      if (paymentId === 'W-20') await producer.flush();
    }
  const answers = await Promise.all(calls);
  await producer.close();
  await Promise.all(restarts);

  expect(restarts).toHaveLength(2);
  expect(new Set(answers.map(({ notificationId }) => notificationId)).size).toBe(calls.length);
  expect(answers.filter(({ duplicate }) => duplicate).length).toBeGreaterThan(0);
  expect(await acceptedStatuses(system.databaseUrl, name)).toEqual(
    Object.fromEntries(payments.map((payment) => [payment, [...WIRE_SEQUENCE]])),
  );
});
