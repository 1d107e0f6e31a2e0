import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Customer } from '#test/support/customer';
import { Producer } from '#test/support/producer';
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
    expect(await client.deliveryOf(inFlight)).toMatchObject({ state: 'delivered', attempts: 1 });

    await next;
    const later = await client.accept(achChange(acme.company, randomUUID()));
    await client.waitForState(later, 'delivered');
    expect(acme.arrivals.map((arrival) => arrival.notificationId)).toEqual([
      inFlight.notificationId,
      later.notificationId,
    ]);
  });

  test('lets an api answer what it has taken in: every 202 is delivered', async () => {
    const acme = await Customer.onboard(system.client);
    const producers = Array.from({ length: 4 }, () => new Producer(system.client));
    const enough = new AbortController();
    const producing = producers.map((producer) =>
      producer.post(() => achChange(acme.company, randomUUID()), enough.signal),
    );
    await acme.waitForArrivals(20);

    const stopping = system.api.kill('SIGTERM');
    enough.abort();
    expect(await stopping).toEqual(STOPPED);
    await Promise.allSettled(producing);
    await acme.waitToHaveTaken(producers.flatMap((producer) => producer.accepted));
  });
});
