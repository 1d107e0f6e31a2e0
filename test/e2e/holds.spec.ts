import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { Customer } from '#test/support/customer';
import { ACH_SEQUENCE, achSequence } from '#test/support/status-changes';
import { QUEUE_BACKENDS, System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const PAYMENTS = 10;
const GONE = 3;
const payments = (): string[] => Array.from({ length: PAYMENTS }, () => randomUUID());

describe.each(QUEUE_BACKENDS)('pauses, with the queue on %s', (backend) => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ backend });
  });
  afterAll(() => system.stop());

  test('a paused consumer receives nothing while others do, and receives everything in order after resume', async () => {
    const { client } = system;
    const [acme, other] = [await Customer.onboard(client), await Customer.onboard(client)];
    expect(await client.pauseConsumer(acme.consumerId)).toMatchObject({
      state: 'paused',
      pauseReason: 'maintenance',
    });
    const ids = payments();
    const held = await client.acceptAll(ids.flatMap((id) => achSequence(acme.company, id)));
    await other.waitForAcknowledged(await client.acceptAll(achSequence(other.company, randomUUID())));
    expect(acme.arrivals).toEqual([]);
    for (const event of held.filter((_, index) => index % ACH_SEQUENCE.length === 0)) {
      expect(await client.deliveryOf(event)).toMatchObject({ state: 'held', holdReason: 'paused' });
    }

    expect(await client.resumeConsumer(acme.consumerId)).toMatchObject({ state: 'active', pausedAt: null });
    await acme.waitForAcknowledged(held);
    for (const id of ids) expect(acme.statusesOf(id)).toEqual(ACH_SEQUENCE);
    expect(acme.arrivals).toHaveLength(held.length);
  });

  test('a paused dispatcher accepts events, sends nothing, and delivers in order after resume', async () => {
    const { client } = system;
    const customers = [await Customer.onboard(client), await Customer.onboard(client)];
    await client.setSending('pause');
    const lives = customers.map((customer) => ({ customer, id: randomUUID() }));
    const accepted = await client.acceptAll(
      lives.flatMap(({ customer, id }) => achSequence(customer.company, id)),
    );
    for (const event of [accepted[0], accepted[ACH_SEQUENCE.length]]) {
      if (event === undefined) throw new Error('nothing was accepted');
      expect(await client.deliveryOf(event)).toMatchObject({ state: 'held', holdReason: 'paused' });
    }
    expect(customers.flatMap(({ arrivals }) => arrivals)).toEqual([]);

    await client.setSending('resume');
    for (const [index, { customer, id }] of lives.entries()) {
      const own = accepted.slice(index * ACH_SEQUENCE.length, (index + 1) * ACH_SEQUENCE.length);
      await customer.waitForAcknowledged(own);
      expect(customer.statusesOf(id)).toEqual(ACH_SEQUENCE);
    }
  });

  test('pauses a consumer after one answer of 410 Gone, and delivers after resume', async () => {
    const { client } = system;
    const customers = await Promise.all(
      Array.from({ length: GONE }, () => Customer.onboard(client, { behaviour: () => ({ status: 410 }) })),
    );
    const lives = customers.map((customer) => ({ customer, id: randomUUID() }));
    const accepted = await Promise.all(
      lives.map(({ customer, id }) => client.acceptAll(achSequence(customer.company, id))),
    );
    for (const { consumerId } of customers) {
      await waitUntil(async () => (await client.consumer(consumerId)).state === 'paused', {
        what: 'the consumer to be paused',
      });
      expect((await client.consumer(consumerId)).pauseReason).toContain('410');
    }
    for (const [first] of accepted) {
      if (first === undefined) throw new Error('nothing was accepted');
      expect(await client.waitForState(first, 'held')).toMatchObject({
        holdReason: 'paused',
        attemptCount: 1,
      });
    }
    expect(customers.map(({ arrivals }) => arrivals.length)).toEqual(customers.map(() => 1));

    for (const [index, { customer, id }] of lives.entries()) {
      customer.behave(() => ({}));
      await client.resumeConsumer(customer.consumerId);
      await customer.waitForAcknowledged(accepted[index] ?? []);
      expect(customer.statusesOf(id)).toEqual(ACH_SEQUENCE);
    }
  });
});
