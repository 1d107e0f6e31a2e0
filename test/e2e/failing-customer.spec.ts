import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startConsumer } from '#test/support/consumer-server';
import { Customer } from '#test/support/customer';
import { achChange, achLife } from '#test/support/status-changes';
import { System } from '#test/support/system';

/** Three attempts in about two seconds. */
const SHORT = { retrySchedule: [1, 1] };

describe('a customer that fails', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ backend: 'redis' });
  });
  afterAll(() => system.stop());

  test('is tried until its schedule is used up; then the delivery is dead and the next status goes', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, {
      ...SHORT,
      behaviour: ({ status }) => (status === 'INITIATED' ? { status: 422, body: 'no such account' } : {}),
    });
    const [first, ...later] = await client.acceptAll(achLife(acme.company, randomUUID()));
    if (first === undefined) throw new Error('nothing was accepted');
    await acme.waitToHaveTaken(later);

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

  test('is shown with every attempt, and without its secrets', async () => {
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

  test('is left alone for as long as it asks with Retry-After', async () => {
    const acme = await Customer.onboard(system.client, {
      ...SHORT,
      behaviour: ({ time }) => (time === 1 ? { status: 503, headers: { 'retry-after': '3' } } : {}),
    });
    const accepted = await system.client.accept(achChange(acme.company, randomUUID()));
    await acme.waitToHaveTaken([accepted]);

    const [asked, again] = acme.arrivals.map((arrival) => arrival.request.receivedAt.getTime());
    expect((again ?? 0) - (asked ?? 0)).toBeGreaterThanOrEqual(3_000);
  });

  test('is not followed to where it redirects', async () => {
    const elsewhere = await startConsumer();
    try {
      const acme = await Customer.onboard(system.client, {
        ...SHORT,
        behaviour: ({ time }) => (time === 1 ? { status: 307, headers: { location: elsewhere.url } } : {}),
      });
      const accepted = await system.client.accept(achChange(acme.company, randomUUID()));
      const delivery = await system.client.waitForState(accepted, 'delivered');

      expect(delivery.attempts.map((attempt) => attempt.outcome)).toEqual(['redirect', 'acknowledged']);
      expect(elsewhere.requests).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  test('may hang, break the connection or be gone: each is an attempt that failed', async () => {
    const acme = await Customer.onboard(system.client, {
      // Longer than a busy machine takes for the attempts that do not hang.
      timeoutMs: 4_000,
      retrySchedule: [1, 1, 1],
      behaviour: ({ time }) => (time === 1 ? 'hang' : time === 2 ? 'reset' : {}),
    });
    const accepted = await system.client.accept(achChange(acme.company, randomUUID()));
    const delivery = await system.client.waitForState(accepted, 'delivered');
    expect(delivery.attempts.map((attempt) => attempt.outcome)).toEqual(['timeout', 'reset', 'acknowledged']);
    expect(delivery.attempts[0]?.durationMs).toBeGreaterThanOrEqual(4_000);

    await acme.server.close();
    const unreachable = await system.client.accept(achChange(acme.company, randomUUID()));
    const dead = await system.client.waitForState(unreachable, 'dead');
    expect(dead.attempts.map((attempt) => attempt.outcome)).toEqual(Array(4).fill('connect'));
  });
});
