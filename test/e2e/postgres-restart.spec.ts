import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { Customer } from '#test/support/customer';
import { OwnPostgres } from '#test/support/own-postgres';
import { Producers } from '#test/support/producers';
import { ACH_SEQUENCE, achSequence } from '#test/support/status-changes';
import { System } from '#test/support/system';

const PRODUCERS = 8;
const TIMEOUT_MS = 2_000;

describe.each([
  { how: 'is restarted', backend: 'redis', hard: false },
  { how: 'crashes with the queue in it', backend: 'postgres', hard: true },
] as const)('PostgreSQL that $how under load', ({ backend, hard }) => {
  let postgres: OwnPostgres;
  let system: System;
  beforeAll(async () => {
    postgres = await OwnPostgres.create();
    system = await System.start({ backend, databaseUrl: postgres.url('postgres'), workers: 2 });
  });
  afterAll(async () => {
    await system.stop();
    await postgres.remove();
  });

  test('producers get 503 with Retry-After while PostgreSQL is down, and every accepted event is delivered in order', async () => {
    const acme = await Customer.onboard(system.client, {
      timeoutMs: TIMEOUT_MS,
      retrySchedule: [1, 1, 1, 1, 1, 1],
    });
    const payments: string[] = [];
    const producers = Producers.start(system.client, PRODUCERS, function* () {
      for (;;) {
        const payment = randomUUID();
        payments.push(payment);
        yield* achSequence(acme.company, payment);
      }
    });

    await producers.waitForAccepted(8);
    await postgres.stop({ hard });
    await producers.waitForRefused(2);
    expect((await fetch(`${system.api.baseUrl}/readyz`)).status).toBe(503);
    await postgres.start();
    await producers.waitForAccepted(8);
    const accepted = await producers.finish();
    await acme.waitForAcknowledged(accepted);

    for (const refusal of producers.refusals) {
      expect(refusal).toEqual({
        status: 503,
        retryAfter: expect.stringMatching(/^\d+$/),
        contentType: expect.stringMatching(/^application\/problem\+json/),
      });
    }
    expect(new Set(accepted.map((event) => event.notificationId)).size).toBe(accepted.length);
    for (const payment of payments) {
      const statuses = acme.statusesOf(payment);
      expect(statuses).toEqual(ACH_SEQUENCE.slice(0, statuses.length));
      const { events } = await system.client.events({ paymentId: payment });
      expect(events.map((event) => event.status)).toEqual(statuses.toReversed());
    }
    expect(acme.acknowledged).toHaveLength(accepted.length);
    expect(new Set(acme.arrivals.map((arrival) => arrival.verdict))).toEqual(new Set(['verified']));
  });
});
