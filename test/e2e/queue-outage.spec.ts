import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { ConsumerAnswer } from '#test/support/consumer-server';
import { Customer, type CustomerBehaviour } from '#test/support/customer';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';
import type { StartedProcess } from '#test/support/started-process';
import { ACH_SEQUENCE, achSequence } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

/** The design's limit until deliveries continue after Redis lost its data. */
const RECOVERY_DEADLINE_MS = 60_000;
const PAYMENTS = 10;

/** The first attempt of each payment fails, so that retries wait in Redis when it stops. */
const flaky = (failure: ConsumerAnswer): { behaviour: CustomerBehaviour; [setting: string]: unknown } => ({
  retrySchedule: [2, 1, 1, 1],
  timeoutMs: 2_000,
  behaviour: ({ status, time }) => (status === 'INITIATED' && time === 1 ? failure : {}),
});

const BEGIN = 'queue.unreachable';
const END = 'queue.recovered';
const ONCE_EACH = [
  [BEGIN, END],
  [BEGIN, END],
];

/** The messages about the queue that each process has logged since the call. */
function queueMessages(processes: readonly StartedProcess[]): () => string[][] {
  const since = processes.map(({ output }) => output.length);
  return () =>
    processes.map(({ output }, index) =>
      [...output.slice(since[index]).matchAll(/"msg":"([^"]*queue[^"]*)"/g)].map(
        ([, message = '']) => message,
      ),
    );
}

/**
 * Stops the queue's server until the worker reports that it does not consume, and starts it again.
 * @returns the messages of api and worker about the queue
 */
async function outage(system: System, server: OwnPostgres | OwnRedis): Promise<string[][]> {
  const messages = queueMessages([system.api, ...system.workers]);
  await server.stop();
  await waitUntil(() => system.workers[0]?.output.includes('worker.not_consuming'), {
    what: 'the worker to report that it does not consume',
  });
  await server.start();
  await waitUntil(() => messages().every((logged) => logged.includes(END)), {
    what: () => `each process to log that the outage is over; logged: ${JSON.stringify(messages())}`,
  });
  return messages();
}

describe('outage of Redis', () => {
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

  test('while Redis is down events are accepted, each process logs it once, and an empty Redis delivers all in order', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, flaky({ status: 503 }));
    const before = payments();
    const accepted = await client.acceptAll(before.flatMap((payment) => achSequence(acme.company, payment)));
    await acme.waitForArrivals(PAYMENTS);
    const during = payments();
    const [more, messages] = await Promise.all([
      (async () => {
        await waitUntil(() => system.api.output.includes(BEGIN), { what: 'the api to log the outage' });
        return client.acceptAll(during.flatMap((payment) => achSequence(acme.company, payment)));
      })(),
      outage(system, redis),
    ]);

    await acme.waitForAcknowledged([...accepted, ...more], RECOVERY_DEADLINE_MS);
    for (const payment of [...before, ...during]) expect(acme.statusesOf(payment)).toEqual(ACH_SEQUENCE);
    expect(new Set(acme.arrivals.map((arrival) => arrival.verdict))).toEqual(new Set(['verified']));
    expect(messages).toEqual(ONCE_EACH);
    for (const { output } of [system.api, ...system.workers]) {
      expect(output).toMatch(new RegExp(`"fault":"[^"]*ECONNREFUSED[^"]*","msg":"${BEGIN}"`));
      expect(output).toMatch(new RegExp(`"lastedMs":\\d+,"msg":"${END}"`));
    }
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

test('each process logs an outage of the queue on PostgreSQL in one line, and its end in another', async () => {
  const postgres = await OwnPostgres.create();
  const system = await System.start({ backend: 'postgres', databaseUrl: postgres.adminUrl });
  try {
    expect(await outage(system, postgres)).toEqual(ONCE_EACH);
  } finally {
    await system.stop();
    await postgres.remove();
  }
});

const payments = (): string[] => Array.from({ length: PAYMENTS }, () => randomUUID());

async function empty(redis: OwnRedis): Promise<void> {
  const connection = new Redis(redis.url);
  await connection.flushall();
  connection.disconnect();
}
