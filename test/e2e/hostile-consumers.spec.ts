import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';
import { LoopbackConsumers } from '../../libs/egress/src/testing/loopback-consumers.js';
import type { DeliveryListDto } from '#apps/api/src/resources/deliveries/delivery.dto';
import { Customer } from '#test/support/customer';
import { HOSTILE_CONSUMERS, type HostileConsumer } from '#test/support/hostile-consumers';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

/** As many as a consumer gets at once before it has answered. */
const EACH_GETS = 4;
const MAX_RESIDENT_MIB = 450;

const hostile = new LoopbackConsumers();
let system: System;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
});
afterAll(async () => {
  await hostile.stop();
  await system.stop();
});

/** Only the consumers that never answer get a short timeout: on a busy machine the others need longer. */
async function onboard({ name, outcome }: HostileConsumer, url: string): Promise<string> {
  const { id } = await system.client.registerConsumer({
    name,
    url,
    eventTypes: ['ach.status'],
    achCompanyIds: [name],
    credentials: { username: 'bank', password: 'secret' },
    ordering: 'none',
    timeoutMs: outcome === 'timeout' ? 3_000 : 30_000,
    retrySchedule: [1],
  });
  return id;
}

test('records an outcome for every kind of hostile consumer at once, and frees all slots and sockets', async () => {
  const { client } = system;
  const [worker] = system.workers;
  if (worker === undefined) throw new Error('no worker runs');
  const descriptors = (): number => readdirSync(`/proc/${String(worker.pid)}/fd`).length;

  const good = await Customer.onboard(client);
  await good.waitForAcknowledged([await client.accept(achChange(good.company, 'before'))]);
  const atRest = descriptors();
  const ids = await Promise.all(
    HOSTILE_CONSUMERS.map(async (consumer) => onboard(consumer, await consumer.start(hostile))),
  );
  const payments = Array.from({ length: EACH_GETS }, (_, index) => `payment-${String(index)}`);
  for (const payment of payments)
    await Promise.all(HOSTILE_CONSUMERS.map(({ name }) => client.accept(achChange(name, payment))));
  await good.waitForAcknowledged(await client.acceptAll(payments.map((id) => achChange(good.company, id))));

  const finished = await waitUntil(
    async () => {
      const lists = await Promise.all(
        ids.map((id) => client.call<DeliveryListDto>('GET', `/v1/deliveries?consumerId=${id}`)),
      );
      const all = lists.map(({ body }) => body.deliveries);
      return all.flat().every(({ state }) => state === 'delivered' || state === 'dead') && all;
    },
    { what: 'every delivery to be delivered or dead', everyMs: 200 },
  );
  const found = finished.map((deliveries, index) => [
    HOSTILE_CONSUMERS[index]?.name,
    deliveries.map(({ lastOutcome }) => lastOutcome),
    deliveries.map(({ attemptCount }) => attemptCount),
  ]);
  expect(found).toEqual(
    HOSTILE_CONSUMERS.map(({ name, outcome }) => [
      name,
      payments.map(() => outcome),
      payments.map(() => (outcome === 'acknowledged' ? 1 : 2)),
    ]),
  );

  // All slots and sockets are free, and the next delivery works.
  await waitUntil(() => hostile.openConnections === 0 && descriptors() <= atRest + 2, {
    what: () => `${hostile.openConnections} sockets and ${descriptors() - atRest} descriptors to be closed`,
    everyMs: 100,
  });
  const database = new Client({ connectionString: system.databaseUrl });
  await database.connect();
  const { rows } = await database.query('select id from pending_deliveries');
  await database.end();
  expect(rows).toEqual([]);
  const figures = await (await fetch(`${worker.baseUrl}/metrics`)).text();
  expect(figures).not.toMatch(/^dispatcher_internal_faults_total\{.*\} [1-9]/m);
  const status = readFileSync(`/proc/${String(worker.pid)}/status`, 'utf8');
  expect(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024).toBeLessThan(MAX_RESIDENT_MIB);
  await good.waitForAcknowledged([await client.accept(achChange(good.company, 'after'))]);
});
