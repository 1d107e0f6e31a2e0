import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Customer } from '#test/support/customer';
import { OwnRedis } from '#test/support/own-redis';
import { Producers } from '#test/support/producers';
import { achChange } from '#test/support/status-changes';
import { QUEUE_BACKENDS, System } from '#test/support/system';

const STOPPED = { code: 0, signal: null };

describe.each(QUEUE_BACKENDS)('SIGTERM, with the queue on %s', (backend) => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ backend });
  });
  afterAll(() => system.stop());

  test('lets a worker finish and record what it is sending; the rest is the next one’s, nothing comes twice', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, { behaviour: () => ({ delayMs: 2_000 }) });
    const inFlight = await client.accept(achChange(acme.company, randomUUID()));
    await acme.waitForArrivals(1);

    const stopping = system.workers[0]?.kill('SIGTERM');
    const next = system.startWorker();
    expect(await stopping).toEqual(STOPPED);
    expect(await client.deliveryOf(inFlight)).toMatchObject({ state: 'delivered', attemptCount: 1 });

    await next;
    const later = await client.accept(achChange(acme.company, randomUUID()));
    await client.waitForState(later, 'delivered');
    expect(acme.arrivals.map((arrival) => arrival.notificationId)).toEqual([
      inFlight.notificationId,
      later.notificationId,
    ]);
  });

  test('lets an api answer what it has taken in: replaced under load, it leaves nothing behind', async () => {
    const acme = await Customer.onboard(system.client);
    const producers = Producers.start(system.client, 4, function* () {
      for (;;) yield achChange(acme.company, randomUUID());
    });
    await producers.eachGetsOn(10);
    const foundBefore = await foundByReconciler(system);
    expect(await system.api.kill('SIGTERM')).toEqual(STOPPED);
    await acme.waitToHaveTaken(producers.accepted);
    // What was not enqueued would have been delivered as well, but later.
    expect(await foundByReconciler(system)).toBe(foundBefore);

    await system.replaceApi();
    await producers.eachGetsOn(10);
    await acme.waitToHaveTaken(await producers.finish());
  });
});

/** Deliveries whose jobs were missing, by the workers' own figures. */
async function foundByReconciler({ workers }: System): Promise<number> {
  const figures = await Promise.all(
    workers.map(async ({ baseUrl }) => (await fetch(`${baseUrl}/metrics`)).text()),
  );
  const found = figures.map(
    (text) => /^dispatcher_reconciled_total\{kind="overdue"\} (\d+)$/m.exec(text)?.[1],
  );
  return found.reduce((sum, count) => sum + Number(count), 0);
}

test('SIGTERM ends a worker within 20 s although its consumer hangs and Redis is away', async () => {
  const redis = await OwnRedis.create();
  const system = await System.start({ backend: 'redis', redisUrl: redis.url });
  try {
    const acme = await Customer.onboard(system.client, { timeoutMs: 17_000, behaviour: () => 'hang' });
    const accepted = await system.client.accept(achChange(acme.company, randomUUID()));
    await acme.waitForArrivals(1);
    await redis.stop();
    expect(await system.workers[0]?.kill('SIGTERM')).toEqual(STOPPED);

    acme.behave(() => ({}));
    await redis.start();
    await system.startWorker();
    const delivery = await system.client.waitForState(accepted, 'delivered');
    expect(delivery.attempts.map((attempt) => attempt.outcome)).toEqual(['acknowledged']);
  } finally {
    await system.stop();
    await redis.remove();
  }
});
