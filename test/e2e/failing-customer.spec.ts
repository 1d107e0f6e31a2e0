import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { ACH_SEQUENCE, achChange, achSequence } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const PAYMENTS = 25;
const MAX_CONCURRENCY = 4;

/** Three attempts in about two seconds. */
const SHORT = { retrySchedule: [1, 1] };

describe('failing consumer', () => {
  let system: System;
  let redis: Redis;
  beforeAll(async () => {
    system = await System.start({ backend: 'redis', workers: 2 });
    redis = new Redis(process.env['TEST_REDIS_URL'] ?? '');
  });
  afterAll(async () => {
    redis.disconnect();
    await system.stop();
  });

  /** All jobs in the queue of this system. */
  async function jobs(): Promise<number> {
    const queue = `${system.queueNamespace}:deliveries`;
    const counts = await Promise.all([
      redis.llen(`${queue}:wait`),
      redis.llen(`${queue}:active`),
      redis.zcard(`${queue}:delayed`),
    ]);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  const moveBack = (column: 'first_failure_at' | 'next_probe_at'): Promise<unknown[]> =>
    runSql(system.databaseUrl, `update consumer_runtime set ${column} = ${column} - interval '10 minutes'`);

  const circuitOf = async (acme: Customer) => (await system.client.consumer(acme.consumerId)).circuit;

  test('probes a consumer that is down, and delivers everything in order when it is up again', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, {
      retrySchedule: Array<number>(12).fill(1),
      maxConcurrency: MAX_CONCURRENCY,
      behaviour: () => ({ status: 503 }),
    });
    const first = await client.acceptAll(
      Array.from({ length: MAX_CONCURRENCY }, () => achChange(acme.company, randomUUID())),
    );
    // Repeated, since a worker that records a failure at this moment overwrites the change.
    const opened = await waitUntil(
      async () => {
        const circuit = await circuitOf(acme);
        if (circuit === null) await moveBack('first_failure_at');
        return circuit;
      },
      { what: 'the circuit to open', everyMs: 200 },
    );
    expect(opened).toEqual({
      openedAt: expect.any(String),
      failedProbes: 0,
      nextProbeAt: expect.any(String),
    });

    const ids = Array.from({ length: PAYMENTS }, () => randomUUID());
    const backlog = await client.acceptAll(ids.flatMap((id) => achSequence(acme.company, id)));
    // Independent of the number of deliveries: one job for the consumer's timer, and one for its ending session.
    expect(await jobs()).toBeLessThanOrEqual(2);
    for (const event of backlog.filter((_, index) => index % ACH_SEQUENCE.length === 0)) {
      expect(await client.deliveryOf(event)).toMatchObject({ state: 'held', holdReason: 'circuit' });
    }

    await moveBack('next_probe_at');
    await waitUntil(async () => (await circuitOf(acme))?.failedProbes === 1, {
      what: 'a probe to fail',
    });
    expect(acme.acknowledged).toEqual([]);

    acme.behave(() => ({}));
    await moveBack('next_probe_at');
    await acme.waitForAcknowledged([...first, ...backlog]);
    for (const id of ids) expect(acme.statusesOf(id)).toEqual(ACH_SEQUENCE);
    expect(await client.consumer(acme.consumerId)).toMatchObject({ circuit: null, failuresInARow: 0 });
    const audited = await runSql<{ action: string; details: object }>(
      system.databaseUrl,
      `select action, details from audit_log where target = $1 and actor = 'dispatcher' order by id`,
      [`consumer:${acme.consumerId}`],
    );
    expect(audited).toEqual([
      {
        action: 'consumer.circuit_opened',
        details: expect.objectContaining({ failures: expect.any(Number) }),
      },
      {
        action: 'consumer.circuit_closed',
        details: { openedAt: expect.any(String), downtimeMs: expect.any(Number), failedProbes: 1 },
      },
    ]);
  });

  test('a delivery is dead when its schedule is used up, and the next status is delivered', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, {
      ...SHORT,
      behaviour: ({ status }) => (status === 'INITIATED' ? { status: 422, body: 'no such account' } : {}),
    });
    const [first, ...later] = await client.acceptAll(achSequence(acme.company, randomUUID()));
    if (first === undefined) throw new Error('nothing was accepted');
    await acme.waitForAcknowledged(later);

    const delivery = await client.deliveryOf(first);
    expect(delivery).toMatchObject({
      state: 'dead',
      attemptCount: 3,
      lastOutcome: 'http_status',
      lastHttpStatus: 422,
    });
    expect(delivery.attempts.map(({ number, responseBody }) => [number, responseBody])).toEqual([
      [1, 'no such account'],
      [2, 'no such account'],
      [3, 'no such account'],
    ]);
    expect(acme.arrivals.map((arrival) => arrival.status)).toEqual([
      'INITIATED',
      'INITIATED',
      'INITIATED',
      'PROCESSED',
      'NOTICE_OF_CHANGE',
      'RETURN',
    ]);
  });

  test('shows every attempt at a failing consumer without its secrets', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, {
      ...SHORT,
      behaviour: ({ time }) => ({ status: time === 1 ? 401 : 200 }),
    });
    const accepted = await client.accept(achChange(acme.company, randomUUID()));
    const delivery = await client.waitForState(accepted, 'delivered');

    expect(delivery.attempts).toMatchObject([
      { number: 1, outcome: 'http_status', httpStatus: 401, url: acme.server.url, credentialVersion: 1 },
      { number: 2, outcome: 'acknowledged', httpStatus: 200, url: acme.server.url, credentialVersion: 1 },
    ]);
    const shown = JSON.stringify(delivery);
    for (const { request } of acme.arrivals) {
      expect(shown).toContain(String(request.headers['x-timestamp']));
      expect(shown).not.toContain(String(request.headers['x-signature']));
      expect(shown).not.toContain(String(request.headers.authorization));
    }
  });

  test('waits as long as the consumer asks with Retry-After', async () => {
    const acme = await Customer.onboard(system.client, {
      ...SHORT,
      behaviour: ({ time }) => (time === 1 ? { status: 503, headers: { 'retry-after': '3' } } : {}),
    });
    const accepted = await system.client.accept(achChange(acme.company, randomUUID()));
    await acme.waitForAcknowledged([accepted]);

    const [first, second] = acme.arrivals.map((arrival) => arrival.request.receivedAt.getTime());
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(3_000);
  });
});
