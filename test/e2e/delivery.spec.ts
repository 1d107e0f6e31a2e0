import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { Customer } from '#test/support/customer';
import {
  ACH_SEQUENCE,
  achChange,
  achSequence,
  WIRE_SEQUENCE,
  wireSequence,
} from '#test/support/status-changes';
import { QUEUE_BACKENDS, System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

/** The shortest delay after a failure: one second less 20 % jitter. */
const SHORT = { retrySchedule: [1, 1, 1] };

describe.each(QUEUE_BACKENDS)('delivery, with the queue on %s', (backend) => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ backend });
  });
  afterAll(() => system.stop());

  test('delivers ACH and wire notifications signed, with the consumer’s credentials and the accepted bytes', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client);
    const changes = [...achSequence(acme.company, randomUUID()), ...wireSequence(acme.company, randomUUID())];
    const accepted = await client.acceptAll(changes);
    await acme.waitForAcknowledged(accepted);

    expect(new Set(acme.arrivals.map((arrival) => arrival.verdict))).toEqual(new Set(['verified']));
    for (const [index, { notificationId }] of accepted.entries()) {
      const arrival = acme.acknowledged.find((each) => each.notificationId === notificationId);
      expect(arrival?.request.body).toBe(JSON.stringify({ notificationId, ...changes[index] }));
      expect(arrival?.request).toMatchObject({
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      });
      const event = await client.event(notificationId);
      expect(JSON.stringify(event.envelope)).toBe(arrival?.request.body);
    }
    await client.waitForState(firstOf(accepted), 'delivered');
  });

  test('keeps the order of a payment whose first status fails twice, without delaying other payments', async () => {
    const { client } = system;
    const [slow, quick] = [randomUUID(), randomUUID()];
    const acme = await Customer.onboard(client, {
      ...SHORT,
      behaviour: ({ paymentId, status, time }) =>
        paymentId === slow && status === 'INITIATED' && time <= 2 ? { status: 503 } : {},
    });
    const accepted = await client.acceptAll([
      ...achSequence(acme.company, slow),
      ...wireSequence(acme.company, quick),
    ]);
    await acme.waitForAcknowledged(accepted);

    expect(acme.statusesOf(slow)).toEqual(ACH_SEQUENCE);
    expect(acme.statusesOf(quick)).toEqual(WIRE_SEQUENCE);
    expect(acme.acknowledged.slice(0, WIRE_SEQUENCE.length).map((arrival) => arrival.paymentId)).toEqual(
      WIRE_SEQUENCE.map(() => quick),
    );
    expect(acme.arrivals).toHaveLength(accepted.length + 2);
  });

  test('retries with the same bytes, a new timestamp and a valid signature', async () => {
    const acme = await Customer.onboard(system.client, {
      ...SHORT,
      behaviour: ({ time }) => ({ status: time <= 2 ? 500 : 204 }),
    });
    const accepted = await system.client.accept(achChange(acme.company, randomUUID()));
    await acme.waitForAcknowledged([accepted]);

    const requests = acme.arrivals.map((arrival) => arrival.request);
    expect(acme.arrivals.map((arrival) => arrival.verdict)).toEqual(['verified', 'verified', 'verified']);
    expect(new Set(requests.map((request) => request.body)).size).toBe(1);
    // Attempts are at least 0.8 s apart, so the timestamps of the first and third differ by whole seconds.
    const [first, , third] = requests.map((request) => Number(request.headers['x-timestamp']));
    expect(third).toBeGreaterThan(first ?? Infinity);
    expect(requests[2]?.headers['x-signature']).not.toBe(requests[0]?.headers['x-signature']);
  });

  test('delivers a notification to its own consumers only, and keeps an event without consumers', async () => {
    const { client } = system;
    const [acme, other] = [await Customer.onboard(client), await Customer.onboard(client)];
    const unrouted = await client.accept(achChange('UNKNOWN', randomUUID()));
    const routed = await client.accept(achChange(acme.company, randomUUID()));
    await acme.waitForAcknowledged([routed]);

    expect(routed.deliveries.map((delivery) => delivery.consumerId)).toEqual([acme.consumerId]);
    expect(other.arrivals).toEqual([]);
    expect(unrouted.deliveries).toEqual([]);
    // A list shows an event only when no transaction of the server can still commit an older event.
    const listed = await waitUntil(
      async () => {
        const { events } = await client.events({ unrouted: 'true' });
        return events.length > 0 && events.map((event) => event.notificationId);
      },
      { what: 'the unrouted event to be listed' },
    );
    expect(listed).toEqual([unrouted.notificationId]);
    expect(await client.event(unrouted.notificationId)).toMatchObject({
      unrouted: true,
      deliveries: [],
      envelope: { notificationId: unrouted.notificationId },
    });
  });
});

function firstOf<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error('nothing was accepted');
  return first;
}
