import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { ACH_SEQUENCE, achChange, achSequence } from '#test/support/status-changes';
import { QUEUE_BACKENDS, System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

/** 15 s of work at the rate of the test: longer than a takeover takes, which is part of it. */
const EVENTS = 180;
const PER_SECOND = 12;

describe.each(QUEUE_BACKENDS)('a worker that fails during a delivery, with the queue on %s', (backend) => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ backend });
  });
  afterAll(() => system.stop());

  test('another worker delivers the statuses of a killed worker in order, without counting the interrupted attempt', async () => {
    const { client } = system;
    const payment = randomUUID();
    const acme = await Customer.onboard(client, { timeoutMs: 30_000, behaviour: () => 'hang' });
    const accepted = await client.acceptAll(achSequence(acme.company, payment));
    await acme.waitForArrivals(1);
    const [sender] = system.workers;
    await system.startWorker();

    acme.behave(() => ({}));
    await sender?.kill('SIGKILL');
    await acme.waitForArrivals(2);
    await acme.waitForAcknowledged(accepted);

    expect(acme.arrivals.map((arrival) => arrival.status)).toEqual(['INITIATED', ...ACH_SEQUENCE]);
    for (const event of accepted) {
      expect(await client.waitForState(event, 'delivered')).toMatchObject({ attemptCount: 1 });
    }
  });

  test('a suspended worker changes nothing when it continues after another worker has delivered in order', async () => {
    const { client } = system;
    const id = randomUUID();
    const acme = await Customer.onboard(client, {
      // Longer than it takes to suspend the worker, also on a busy machine.
      timeoutMs: 5_000,
      retrySchedule: [1, 1, 1],
      // The first POST fails, the second is never answered, and the suspended worker finds another worker's result.
      behaviour: ({ status, time }) => {
        if (status !== 'INITIATED' || time > 2) return {};
        return time === 1 ? { status: 503 } : 'hang';
      },
    });
    const accepted = await client.acceptAll(achSequence(acme.company, id));
    const [first] = accepted;
    if (first === undefined) throw new Error('nothing was accepted');
    await acme.waitForArrivals(2);
    const [suspended] = system.workers;
    suspended?.signal('SIGSTOP');
    expect(suspended).toBeDefined();

    await system.startWorker();
    await acme.waitForAcknowledged(accepted);
    const before = await client.waitForState(first, 'delivered');
    const output = suspended?.output.length ?? 0;
    suspended?.signal('SIGCONT');
    await waitUntil(
      () => suspended?.output.slice(output).includes('the process was suspended while it waited'),
      {
        what: 'the continued worker to log its suspension',
      },
    );

    expect(await client.deliveryOf(first)).toEqual(before);
    expect(before.attempts.map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, 'http_status'],
      [2, 'acknowledged'],
    ]);
    expect(before.attemptCount).toBe(2);
    expect(acme.statusesOf(id)).toEqual(ACH_SEQUENCE);
    for (const event of accepted.slice(1)) {
      expect(await client.deliveryOf(event)).toMatchObject({ state: 'delivered', attemptCount: 1 });
    }
    const recorded = await runSql<{ count: number }>(
      system.databaseUrl,
      `select count(*)::int as count from attempts
       where delivery_id in (select id from deliveries where consumer_id = $1)`,
      [acme.consumerId],
    );
    expect(recorded).toEqual([{ count: 1 + ACH_SEQUENCE.length }]);
  });

  test('a worker suspended until another has taken over repeats no delivery that the other sent, and records no second attempt', async () => {
    const { client } = system;
    // At this rate some fetched deliveries wait for their turn at any moment of the suspension.
    const acme = await Customer.onboard(client, { maxPerSecond: PER_SECOND });
    const accepted = await client.acceptBatch(
      Array.from({ length: EVENTS }, () => achChange(acme.company, randomUUID())),
    );
    await acme.waitForArrivals(PER_SECOND);
    const suspended = system.workers.find(({ output }) => output.includes(acme.consumerId));
    if (suspended === undefined) throw new Error('no worker has sent');
    suspended.signal('SIGSTOP');
    const atStop = acme.acknowledged.length;
    // More than the requests that were open: a second of another worker's deliveries.
    await waitUntil(() => acme.acknowledged.length > atStop + 2 * PER_SECOND, {
      what: 'another worker to take over',
    });
    const [output, since] = [suspended.output.length, new Date()];
    const before = acme.acknowledged.length;
    suspended.signal('SIGCONT');
    await waitUntil(() => suspended.output.slice(output).includes('nothing was sent'), {
      what: 'the continued worker to log that it sent none of its fetched deliveries',
    });
    await acme.waitForAcknowledged(accepted);

    // The other worker was still delivering.
    expect(before).toBeGreaterThan(PER_SECOND);
    expect(before).toBeLessThan(accepted.length);
    const repeated = acme.arrivals.filter(({ request, time }) => time > 1 && request.receivedAt >= since);
    expect(repeated).toEqual([]);
    await waitUntil(
      async () => {
        const [counts] = await runSql<{ attempts: number; deliveries: number }>(
          system.databaseUrl,
          `select sum(attempts)::int as attempts, count(*)::int as deliveries,
                  (select count(*)::int from attempts a where a.delivery_id = any (array_agg(d.id))) as recorded
           from deliveries d where consumer_id = $1`,
          [acme.consumerId],
        );
        expect(counts).toEqual({ attempts: EVENTS, deliveries: EVENTS, recorded: EVENTS });
        return true;
      },
      { what: 'one attempt of each delivery to be recorded' },
    );
  });
});
