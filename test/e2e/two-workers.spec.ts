import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConsumerAnswer } from '#test/support/consumer-server';
import { Customer, type Arrival } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { ACH_SEQUENCE, achChange, achSequence } from '#test/support/status-changes';
import { QUEUE_BACKENDS, System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const MAX_PER_SECOND = 20;
const EVENTS = 200;
const PAYMENTS = 60;
/** Requests per second that the tolerance for late timers (apps/worker/src/session/pace) and the network may add. */
const TOLERATED = 2;

/** Every fourth request fails, each time in another way. */
function flaky({ request: { order } }: Arrival): ConsumerAnswer {
  if (order % 4 !== 0) return { delayMs: order % 5 };
  const failures: ConsumerAnswer[] = [{ status: 503 }, 'reset', { status: 301 }, 'hang', { status: 400 }];
  return failures[(order / 4) % failures.length] ?? 'hang';
}

describe.each(QUEUE_BACKENDS)('two workers, with the queue on %s', (backend) => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ backend, workers: 2 });
  });
  afterAll(() => system.stop());

  test('two workers never exceed a consumer’s maxConcurrency, and send each delivery once', async () => {
    const { client } = system;
    const limit = 3;
    let [open, most] = [0, 0];
    async function* answerAfterDelay(): AsyncGenerator<string> {
      await pause(50);
      open -= 1;
      yield '';
    }
    const acme = await Customer.onboard(client, {
      maxConcurrency: limit,
      behaviour: () => {
        open += 1;
        most = Math.max(most, open);
        return { body: answerAfterDelay() };
      },
    });
    const accepted = await Promise.all(
      Array.from({ length: 60 }, () => client.accept(achChange(acme.company, randomUUID()))),
    );
    await acme.waitForAcknowledged(accepted);
    expect(most).toBe(limit);
    expect(acme.arrivals).toHaveLength(accepted.length);
  });

  test('two workers never exceed a consumer’s maxPerSecond in any second, and use most of the rate', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, { maxPerSecond: MAX_PER_SECOND });
    const accepted = await Promise.all(
      Array.from({ length: EVENTS }, () => client.accept(achChange(acme.company, randomUUID()))),
    );
    await acme.waitForAcknowledged(accepted);
    // The time of signing, since a busy machine may delay the request afterwards.
    const signed = await waitUntil(
      async () => {
        const rows = await runSql<{ at: Date }>(
          system.databaseUrl,
          `select first_attempt_at as at from deliveries where consumer_id = '${acme.consumerId}' and attempts = 1`,
        );
        return rows.length === EVENTS ? rows : undefined;
      },
      { what: 'every delivery to be recorded with one attempt' },
    );
    const times = signed.map(({ at }) => at.getTime());
    const mostPerSecond = Math.max(
      ...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length),
    );
    const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
    expect(mostPerSecond).toBeLessThanOrEqual(MAX_PER_SECOND + TOLERATED);
    // A busy machine uses less of the rate; less than half of it means that slots of the rate are lost.
    expect((EVENTS - 1) / seconds).toBeGreaterThanOrEqual(0.6 * MAX_PER_SECOND);
  });

  test('two workers deliver every status of every payment in order to a consumer that fails often', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, {
      timeoutMs: 1_000,
      retrySchedule: Array.from({ length: 20 }, () => 1),
      behaviour: flaky,
    });
    const payments = Array.from({ length: PAYMENTS }, () => randomUUID());
    const accepted = await Promise.all(
      payments.map((payment) => client.acceptAll(achSequence(acme.company, payment))),
    );
    await acme.waitForAcknowledged(accepted.flat());

    for (const payment of payments) expect(acme.statusesOf(payment)).toEqual(ACH_SEQUENCE);
    expect(new Set(acme.arrivals.map((arrival) => arrival.verdict))).toEqual(new Set(['verified']));
    expect(arrivedTooEarly(acme.arrivals)).toEqual([]);
    expect(system.workers).toHaveLength(2);
  });
});

/** Requests that arrived before the previous status of their payment was acknowledged. */
function arrivedTooEarly(arrivals: readonly Arrival[]): string[] {
  const done = new Map<string, number>();
  return arrivals.flatMap((arrival) => {
    const doneSoFar = done.get(arrival.paymentId) ?? 0;
    const place = ACH_SEQUENCE.findIndex((status) => status === arrival.status);
    if (arrival.isAcknowledged) done.set(arrival.paymentId, Math.max(doneSoFar, place + 1));
    return place > doneSoFar ? [`${arrival.paymentId} ${arrival.status}`] : [];
  });
}
