import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { ConsumerAnswer } from '#test/support/consumer-server';
import { Customer, type CustomerBehaviour } from '#test/support/customer';
import { OwnRedis } from '#test/support/own-redis';
import { ACH_SEQUENCE, achSequence } from '#test/support/status-changes';
import { System } from '#test/support/system';

/** The design's limit until deliveries continue after Redis lost its data. */
const RECOVERY_DEADLINE_MS = 60_000;
const PAYMENTS = 10;

/** The first attempt of each payment fails, so that retries wait in Redis when it stops. */
const flaky = (failure: ConsumerAnswer): { behaviour: CustomerBehaviour; [setting: string]: unknown } => ({
  retrySchedule: [2, 1, 1, 1],
  timeoutMs: 2_000,
  behaviour: ({ status, time }) => (status === 'INITIATED' && time === 1 ? failure : {}),
});

describe.each([
  { how: 'with its data', durable: true },
  { how: 'empty', durable: false },
])('Redis that stops and returns $how', ({ durable }) => {
  let redis: OwnRedis;
  let system: System;
  beforeAll(async () => {
    redis = await OwnRedis.create({ durable });
    system = await System.start({ backend: 'redis', redisUrl: redis.url });
  });
  afterAll(async () => {
    await system.stop();
    await redis.remove();
  });

  test('accepts events while Redis is down, and delivers every event in order when Redis is up again', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, flaky({ status: 503 }));
    const before = payments();
    const accepted = await client.acceptAll(before.flatMap((payment) => achSequence(acme.company, payment)));
    await acme.waitForArrivals(PAYMENTS);

    await redis.stop({ hard: !durable });
    const during = payments();
    accepted.push(
      ...(await client.acceptAll(during.flatMap((payment) => achSequence(acme.company, payment)))),
    );
    await redis.start();

    await acme.waitForAcknowledged(accepted, RECOVERY_DEADLINE_MS);
    for (const payment of [...before, ...during]) expect(acme.statusesOf(payment)).toEqual(ACH_SEQUENCE);
    expect(new Set(acme.arrivals.map((arrival) => arrival.verdict))).toEqual(new Set(['verified']));
  });
});

describe('Redis that is emptied', () => {
  let redis: OwnRedis;
  let system: System;
  beforeAll(async () => {
    redis = await OwnRedis.create({ durable: false });
    system = await System.start({ backend: 'redis', redisUrl: redis.url });
  });
  afterAll(async () => {
    await system.stop();
    await redis.remove();
  });

  test('retries and deliveries in flight continue automatically and in order after Redis was emptied', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, flaky({ status: 503 }));
    const hanging = await Customer.onboard(client, flaky('hang'));
    const [failed, sending] = [payments(), payments()];
    const retried = await client.acceptAll(failed.flatMap((payment) => achSequence(acme.company, payment)));
    const inFlight = await client.acceptAll(
      sending.flatMap((payment) => achSequence(hanging.company, payment)),
    );
    await Promise.all([acme.waitForArrivals(PAYMENTS), hanging.waitForArrivals(PAYMENTS)]);

    await empty(redis);

    await Promise.all([
      acme.waitForAcknowledged(retried, RECOVERY_DEADLINE_MS),
      hanging.waitForAcknowledged(inFlight, RECOVERY_DEADLINE_MS),
    ]);
    for (const payment of failed) expect(acme.statusesOf(payment)).toEqual(ACH_SEQUENCE);
    for (const payment of sending) expect(hanging.statusesOf(payment)).toEqual(ACH_SEQUENCE);
  });
});

const payments = (): string[] => Array.from({ length: PAYMENTS }, () => randomUUID());

async function empty(redis: OwnRedis): Promise<void> {
  const connection = new Redis(redis.url);
  await connection.flushall();
  connection.disconnect();
}
