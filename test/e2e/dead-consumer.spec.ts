import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { ACH_LIFE, achChange, achLife } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const PAYMENTS = 25;
const MAX_CONCURRENCY = 4;

describe('a consumer that is down', () => {
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

  /** Jobs of any kind in the queue; nobody else uses this system. */
  async function jobs(): Promise<number> {
    const queue = `${system.queueNamespace}:deliveries`;
    const counts = await Promise.all([
      redis.llen(`${queue}:wait`),
      redis.llen(`${queue}:active`),
      redis.zcard(`${queue}:delayed`),
    ]);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  const age = (column: 'first_failure_at' | 'next_probe_at'): Promise<unknown[]> =>
    runSql(system.databaseUrl, `update consumer_gates set ${column} = ${column} - interval '10 minutes'`);

  const circuitOf = async (acme: Customer) => (await system.client.consumer(acme.consumerId)).circuit;

  test('waits in PostgreSQL, is probed, and gets everything in order when it is back', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, {
      retrySchedule: Array<number>(12).fill(1),
      maxConcurrency: MAX_CONCURRENCY,
      behaviour: () => ({ status: 503 }),
    });
    const first = await client.acceptAll(
      Array.from({ length: MAX_CONCURRENCY }, () => achChange(acme.company, randomUUID())),
    );
    await waitUntil(async () => (await client.consumer(acme.consumerId)).failuresInARow > 0, {
      what: 'the first failure to be counted',
    });
    await age('first_failure_at');
    expect(await waitUntil(() => circuitOf(acme), { what: 'the circuit to open' })).toEqual({
      openedAt: expect.any(String),
      failedProbes: 0,
      nextProbeAt: expect.any(String),
    });

    const ids = Array.from({ length: PAYMENTS }, () => randomUUID());
    const backlog = await client.acceptAll(ids.flatMap((id) => achLife(acme.company, id)));
    expect(await jobs()).toBeLessThanOrEqual(MAX_CONCURRENCY);
    for (const event of backlog.filter((_, index) => index % ACH_LIFE.length === 0)) {
      expect(await client.deliveryOf(event)).toMatchObject({ state: 'held', holdReason: 'circuit' });
    }

    await age('next_probe_at');
    await waitUntil(async () => (await circuitOf(acme))?.failedProbes === 1, {
      what: 'a probe to fail',
    });
    expect(acme.taken).toEqual([]);

    acme.behave(() => ({}));
    await age('next_probe_at');
    await acme.waitToHaveTaken([...first, ...backlog]);
    for (const id of ids) expect(acme.statusesOf(id)).toEqual(ACH_LIFE);
    expect(await client.consumer(acme.consumerId)).toMatchObject({ circuit: null, failuresInARow: 0 });
    const audited = await runSql<{ action: string }>(
      system.databaseUrl,
      `select action from audit_log where target = $1 and actor = 'dispatcher' order by id`,
      [`consumer:${acme.consumerId}`],
    );
    expect(audited.map(({ action }) => action)).toEqual([
      'consumer.circuit_opened',
      'consumer.probe_failed',
      'consumer.circuit_closed',
    ]);
  });
});
