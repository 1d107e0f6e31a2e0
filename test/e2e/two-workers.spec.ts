import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConsumerAnswer } from '#test/support/consumer-server';
import { Customer, type Arrival } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { ACH_LIFE, achChange, achLife } from '#test/support/status-changes';
import { QUEUE_BACKENDS, System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const MAX_PER_SECOND = 20;
const EVENTS = 200;
const PAYMENTS = 60;
/** What the tolerance for late timers (apps/worker/src/session/pace) and the way onto the wire may add to a second. */
const TOLERATED = 2;

/** Every fourth request comes to nothing, in every way that there is. */
function flaky({ request: { order } }: Arrival): ConsumerAnswer {
  if (order % 4 !== 0) return { delayMs: order % 5 };
  const failures: ConsumerAnswer[] = [{ status: 503 }, 'reset', { status: 301 }, 'hang', { status: 400 }];
  return failures[(order / 4) % failures.length] ?? 'hang';
}

describe.each(QUEUE_BACKENDS)('two workers, with the queue on %s:', (backend) => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ backend, workers: 2 });
  });
  afterAll(() => system.stop());

  test('a consumer never has more open requests than its maxConcurrency, and gets everything', async () => {
    const { client } = system;
    const limit = 3;
    let [open, most] = [0, 0];
    async function* answerAfterAWhile(): AsyncGenerator<string> {
      await pause(50);
      open -= 1;
      yield '';
    }
    const acme = await Customer.onboard(client, {
      maxConcurrency: limit,
      behaviour: () => {
        open += 1;
        most = Math.max(most, open);
        return { body: answerAfterAWhile() };
      },
    });
    const accepted = await Promise.all(
      Array.from({ length: 60 }, () => client.accept(achChange(acme.company, randomUUID()))),
    );
    await acme.waitToHaveTaken(accepted);
    expect(most).toBe(limit);
    expect(acme.arrivals).toHaveLength(accepted.length);
  });

  test('no second has more POSTs than a consumer’s maxPerSecond, wherever it begins, and the rate is used', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, { maxPerSecond: MAX_PER_SECOND });
    const accepted = await Promise.all(
      Array.from({ length: EVENTS }, () => client.accept(achChange(acme.company, randomUUID()))),
    );
    await acme.waitToHaveTaken(accepted);
    // When it was signed: what a busy machine does to the way from there is not the limit's doing.
    const signed = await waitUntil(
      async () => {
        const rows = await runSql<{ at: Date }>(
          system.databaseUrl,
          `select first_attempt_at as at from deliveries where consumer_id = '${acme.consumerId}' and attempts = 1`,
        );
        return rows.length === EVENTS ? rows : undefined;
      },
      { what: 'every delivery to be recorded, with one attempt' },
    );
    const times = signed.map(({ at }) => at.getTime());
    const fullest = Math.max(
      ...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length),
    );
    const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
    expect(fullest).toBeLessThanOrEqual(MAX_PER_SECOND + TOLERATED);
    // How much of the rate is used is the machine's affair too; half of it is what lost moments once came to.
    expect((EVENTS - 1) / seconds).toBeGreaterThanOrEqual(0.6 * MAX_PER_SECOND);
  });

  test('a flaky customer gets every status of every payment, in its order', async () => {
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
    await acme.waitToHaveTaken(accepted.flat());

    for (const payment of payments) expect(acme.statusesOf(payment)).toEqual(ACH_LIFE);
    expect(new Set(acme.arrivals.map((arrival) => arrival.verdict))).toEqual(new Set(['verified']));
    expect(startedBeforeItsPredecessorWasDone(acme.arrivals)).toEqual([]);
    expect(system.workers).toHaveLength(2);
  });
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
