import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { Customer } from '#test/support/customer';
import { OwnRedis } from '#test/support/own-redis';
import { Producers } from '#test/support/producers';
import { achChange } from '#test/support/status-changes';
import { QUEUE_BACKENDS, System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const STOPPED = { code: 0, signal: null };
const CUSTOMERS = 6;
/** A handover usually takes 250 ms. The consumers of a killed worker wait for 6 to 8 s instead. */
const HANDED_OVER_WITHIN_MS = 5_500;

describe.each(QUEUE_BACKENDS)('SIGTERM, with the queue on %s', (backend) => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ backend });
  });
  afterAll(() => system.stop());

  test('SIGTERM lets a worker record its deliveries in flight, and the next worker sends each other delivery once', async () => {
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

  test('SIGTERM hands a worker’s consumers over to another worker without a pause', async () => {
    const customers = await Promise.all(
      Array.from({ length: CUSTOMERS }, () => Customer.onboard(system.client)),
    );
    await system.startWorker();
    const producers = Producers.start(system.client, 2 * CUSTOMERS, function* () {
      for (let turn = 0; ; turn += 1)
        yield achChange(customers[turn % CUSTOMERS]?.company ?? '', randomUUID());
    });
    await producers.waitForAccepted(2 * CUSTOMERS);
    const stopping = system.workers.find(({ output }) => output.includes('delivery.attempted'));
    const stoppedAtMs = Date.now();
    expect(await stopping?.kill('SIGTERM')).toEqual(STOPPED);
    await producers.waitForAccepted(2 * CUSTOMERS);
    const accepted = await producers.finish();
    await Promise.all(
      customers.map((customer) =>
        customer.waitForAcknowledged(
          accepted.filter(({ deliveries }) => deliveries[0]?.consumerId === customer.consumerId),
        ),
      ),
    );

    for (const customer of customers) {
      expect(longestPause(customer, stoppedAtMs)).toBeLessThan(HANDED_OVER_WITHIN_MS);
      expect(customer.arrivals).toHaveLength(customer.acknowledged.length);
    }
  });

  test('SIGTERM lets an api answer accepted requests and enqueue their deliveries', async () => {
    const acme = await Customer.onboard(system.client);
    const producers = Producers.start(system.client, 4, function* () {
      for (;;) yield achChange(acme.company, randomUUID());
    });
    await producers.waitForAccepted(10);
    const foundBefore = await foundByReconciler(system);
    expect(await system.api.kill('SIGTERM')).toEqual(STOPPED);
    await acme.waitForAcknowledged(producers.accepted);
    // Reconcile would find deliveries that were not enqueued, and they would arrive later.
    expect(await foundByReconciler(system)).toBe(foundBefore);

    await system.replaceApi();
    await producers.waitForAccepted(10);
    await acme.waitForAcknowledged(await producers.finish());
  });
});

/** The longest time without an arrival from a moment on. */
function longestPause({ arrivals }: Customer, fromMs: number): number {
  const times = arrivals.map(({ request }) => request.receivedAt.getTime());
  const pauses = times.slice(1).map((at, index) => at - Math.max(times[index] ?? at, fromMs));
  return Math.max(...pauses);
}

/** The number of missing jobs that reconcile has found, by the workers' metrics. */
async function foundByReconciler({ workers }: System): Promise<number> {
  const figures = await Promise.all(
    workers.map(async ({ baseUrl }) => (await fetch(`${baseUrl}/metrics`)).text()),
  );
  const found = figures.map(
    (text) => /^dispatcher_reconciled_total\{kind="overdue"\} (\d+)$/m.exec(text)?.[1],
  );
  return found.reduce((sum, count) => sum + Number(count), 0);
}

describe('SIGTERM without Redis', () => {
  let redis: OwnRedis;
  let system: System;
  beforeAll(async () => {
    redis = await OwnRedis.create();
    system = await System.start({ backend: 'redis', redisUrl: redis.url });
  });
  afterAll(async () => {
    await system.stop();
    await redis.remove();
  });

  test('SIGTERM ends a worker within 20 s although its consumer hangs and Redis is down', async () => {
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
  });

  test.each<[string, () => unknown, () => unknown]>([
    ['is down', () => redis.stop(), () => redis.start()],
    ['does not answer', () => process.kill(redis.pid, 'SIGSTOP'), () => process.kill(redis.pid, 'SIGCONT')],
  ])('SIGTERM ends a worker without deliveries at once although Redis %s', async (_how, lose, bringBack) => {
    const worker = system.workers[0] ?? (await system.startWorker());
    // Its session stays open for a while, and the stop gives it back to the queue.
    const acme = await Customer.onboard(system.client);
    await acme.waitForAcknowledged([await system.client.accept(achChange(acme.company, randomUUID()))]);
    await lose();
    await waitUntil(async () => !(await fetch(`${worker.baseUrl}/readyz`)).ok, {
      what: 'the worker not to be ready',
    });
    const signalledAtMs = performance.now();
    expect(await worker.kill('SIGTERM')).toEqual(STOPPED);
    expect(performance.now() - signalledAtMs).toBeLessThan(12_000);
    await bringBack();
  });
});
