import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ConsumerAnswer } from '#test/support/consumer-server';
import { Customer, type Arrival } from '#test/support/customer';
import { ACH_LIFE, achLife } from '#test/support/status-changes';
import { QUEUE_BACKENDS, System } from '#test/support/system';

const PAYMENTS = 150;
const DELIVERED_WITHIN_MS = 60_000;

/** Every fourth request comes to nothing, in every way that there is. */
function flaky({ request: { order } }: Arrival): ConsumerAnswer {
  if (order % 4 !== 0) return { delayMs: order % 5 };
  const failures: ConsumerAnswer[] = [{ status: 503 }, 'reset', { status: 301 }, 'hang', { status: 400 }];
  return failures[(order / 4) % failures.length] ?? 'hang';
}

describe.each(QUEUE_BACKENDS)('two workers and a flaky customer, with the queue on %s', (backend) => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ backend, workers: 2 });
  });
  afterAll(() => system.stop());

  test('every status of every payment arrives, in its order', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, {
      timeoutMs: 1_000,
      retrySchedule: Array.from({ length: 20 }, () => 1),
      behaviour: flaky,
    });
    const payments = Array.from({ length: PAYMENTS }, () => randomUUID());
    const accepted = await Promise.all(
      payments.map((payment) => client.acceptAll(achLife(acme.company, payment))),
    );
    await acme.waitToHaveTaken(accepted.flat(), DELIVERED_WITHIN_MS);

    for (const payment of payments) expect(acme.statusesOf(payment)).toEqual(ACH_LIFE);
    expect(new Set(acme.arrivals.map((arrival) => arrival.verdict))).toEqual(new Set(['verified']));
    expect(startedBeforeItsPredecessorWasDone(acme.arrivals)).toEqual([]);
    expect(system.workers).toHaveLength(2);
  }, 90_000);
});

/** Requests that came while an earlier status of their payment had not been acknowledged yet. */
function startedBeforeItsPredecessorWasDone(arrivals: readonly Arrival[]): string[] {
  const done = new Map<string, number>();
  return arrivals.flatMap((arrival) => {
    const doneSoFar = done.get(arrival.paymentId) ?? 0;
    const place = ACH_LIFE.findIndex((status) => status === arrival.status);
    if (arrival.isAcknowledged) done.set(arrival.paymentId, Math.max(doneSoFar, place + 1));
    return place > doneSoFar ? [`${arrival.paymentId} ${arrival.status}`] : [];
  });
}
