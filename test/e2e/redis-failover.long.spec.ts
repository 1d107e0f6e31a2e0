import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { Customer } from '#test/support/customer';
import { OwnRedisCluster } from '#test/support/own-redis-cluster';
import { OwnSentinels } from '#test/support/own-sentinels';
import { Producers } from '#test/support/producers';
import { ACH_SEQUENCE, achSequence } from '#test/support/status-changes';
import { System } from '#test/support/system';

/** The design's limit until deliveries continue after Redis lost its data. */
const RECOVERY_DEADLINE_MS = 60_000;
const CUSTOMERS = 6;

/** Statuses of payments of these consumers in rotation; `payments` notes the consumer of each payment. */
function lives(customers: readonly Customer[], payments: Map<string, Customer>): () => Iterator<object> {
  let next = 0;
  return function* () {
    for (;;) {
      const customer = customers[next % customers.length];
      if (customer === undefined) return;
      next += 1;
      const payment = randomUUID();
      payments.set(payment, customer);
      yield* achSequence(customer.company, payment);
    }
  };
}

/**
 * Posts statuses before, during and after `meanwhile`, and waits until every accepted status has arrived.
 * @returns the payments whose statuses arrived out of order
 */
async function outOfOrder(
  system: System,
  customers: readonly Customer[],
  meanwhile: () => Promise<void>,
): Promise<string[]> {
  const payments = new Map<string, Customer>();
  const producers = Producers.start(system.client, 4, lives(customers, payments));
  await producers.waitForAccepted(2 * ACH_SEQUENCE.length);
  await meanwhile();
  await producers.waitForAccepted(2 * ACH_SEQUENCE.length);
  const accepted = await producers.finish();
  expect(producers.refusals).toEqual([]);

  for (const customer of customers) {
    await customer.waitForAcknowledged(
      accepted.filter(({ deliveries }) => deliveries[0]?.consumerId === customer.consumerId),
      RECOVERY_DEADLINE_MS,
    );
  }
  return [...payments].flatMap(([payment, customer]) => {
    const statuses = customer.statusesOf(payment);
    return statuses.join() === ACH_SEQUENCE.slice(0, statuses.length).join() ? [] : [payment];
  });
}

describe('Redis Cluster', () => {
  let cluster: OwnRedisCluster;
  let system: System;
  let customers: Customer[];
  /** All keys of the queue have this hash tag, so one node has them. */
  const key = (): string => `{${system.queueNamespace}}:deliveries:meta`;
  beforeAll(async () => {
    cluster = await OwnRedisCluster.create();
    system = await System.start({ backend: 'redis', redisUrl: cluster.url });
    customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => Customer.onboard(system.client)));
  });
  afterAll(async () => {
    await system.stop();
    await cluster.remove();
  });

  test('deliveries continue in order after the node with the queue in a Redis Cluster was emptied', async () => {
    expect(await outOfOrder(system, customers, () => cluster.emptyMasterOf(key()))).toEqual([]);
  });

  test('every accepted status arrives in order when a master of a Redis Cluster dies under load', async () => {
    const failOver = async (): Promise<void> => {
      const killed = await cluster.killMasterOf(key());
      await cluster.waitForFailover(key(), killed);
    };
    expect(await outOfOrder(system, customers, failOver)).toEqual([]);
  });
});

describe('Redis with Sentinels', () => {
  let sentinels: OwnSentinels;
  let system: System;
  let customers: Customer[];
  beforeAll(async () => {
    sentinels = await OwnSentinels.create();
    system = await System.start({ backend: 'redis', redisUrl: sentinels.url });
    customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => Customer.onboard(system.client)));
  });
  afterAll(async () => {
    await system.stop();
    await sentinels.remove();
  });

  test('every accepted status arrives in order when the master of Redis Sentinels dies under load', async () => {
    expect(await outOfOrder(system, customers, () => sentinels.failOver())).toEqual([]);
  });
});
