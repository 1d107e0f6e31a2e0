import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Customer } from '#test/support/customer';
import { Producers } from '#test/support/producers';
import { runSql } from '#test/support/run-sql';
import { ACH_SEQUENCE, achSequence } from '#test/support/status-changes';
import { QUEUE_BACKENDS, System } from '#test/support/system';

const CUSTOMERS = 4;
const PRODUCERS = 4;
const KILLS = 2;
/** A status may wait for two takeovers, when the second worker is killed as well. */
const NEXT_WITHIN_MS = 30_000;

describe.each(QUEUE_BACKENDS)('workers that are killed at any moment, with the queue on %s', (backend) => {
  let system: System;
  let customers: Customer[];
  beforeAll(async () => {
    system = await System.start({ backend, workers: 2 });
    customers = await Promise.all(
      // Slower than statuses are posted, so that most statuses wait for the previous one.
      Array.from({ length: CUSTOMERS }, () =>
        Customer.onboard(system.client, { behaviour: () => ({ delayMs: 60 }) }),
      ),
    );
  });
  afterAll(() => system.stop());

  test('killed workers delay no status longer than two takeovers, and every payment keeps its order', async () => {
    const payments = new Map<string, Customer>();
    const producers = Producers.start(system.client, PRODUCERS, function* () {
      for (;;) {
        const customer = customers[payments.size % customers.length];
        if (customer === undefined) return;
        const payment = randomUUID();
        payments.set(payment, customer);
        yield* achSequence(customer.company, payment);
      }
    });
    await producers.waitForAccepted(2 * ACH_SEQUENCE.length);
    for (let kills = 0; kills < KILLS; kills += 1) {
      await pause(randomInt(1_000));
      await system.workers[randomInt(system.workers.length)]?.kill('SIGKILL');
      await system.startWorker();
    }
    const accepted = await producers.finish();
    for (const customer of customers) {
      await customer.waitForAcknowledged(
        accepted.filter(({ deliveries }) => deliveries[0]?.consumerId === customer.consumerId),
      );
    }

    for (const [payment, customer] of payments) {
      const statuses = customer.statusesOf(payment);
      expect(statuses).toEqual(ACH_SEQUENCE.slice(0, statuses.length));
    }
    // The wait is measured from the end of the previous status, or from the acceptance if that was later.
    const [slowest] = await runSql<{ ms: number; number: number }>(
      system.databaseUrl,
      `select n.number, (extract(epoch from n.first_attempt_at - greatest(p.finished_at, n.created_at)) * 1000)::int as ms
       from deliveries n join deliveries p
         on p.consumer_id = n.consumer_id and p.event_type = n.event_type and p.payment_id = n.payment_id
        and p.number = n.number - 1
       order by ms desc limit 1`,
    );
    expect(slowest?.ms).toBeLessThan(NEXT_WITHIN_MS);
  });
});
