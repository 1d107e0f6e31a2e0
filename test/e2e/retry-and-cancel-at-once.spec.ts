import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import type { DeliveryDetailDto } from '#apps/api/src/resources/deliveries/delivery.dto';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const DELIVERIES = 8;
const COMMANDS = 30;
/** Long enough for several commands to change a delivery while it is being sent. */
const ANSWER_AFTER_MS = 40;

let system: System;
beforeAll(async () => {
  system = await System.shared(1);
});
afterAll(() => system.stop());

test('every POST of a delivery that 30 requests retry and cancel at once is recorded, and an acknowledged one is delivered', async () => {
  const { client } = system;
  const acme = await Customer.onboard(client, { behaviour: () => ({ delayMs: ANSWER_AFTER_MS }) });
  const accepted = await client.acceptAll(
    Array.from({ length: DELIVERIES }, () => achChange(acme.company, randomUUID())),
  );
  const statuses: number[] = [];
  for (const { deliveries } of accepted) {
    const path = `/v1/deliveries/${deliveries[0]?.deliveryId ?? ''}`;
    const commands = Array.from({ length: COMMANDS }, (_, index) =>
      index % 2 === 0
        ? client.call('POST', `${path}/cancel`, {})
        : client.call('POST', `${path}/retry`, { force: index % 4 === 1 }),
    );
    statuses.push(...(await Promise.all(commands)).map(({ status }) => status));
  }
  expect(statuses).not.toContain(404);

  const shown = ({ notificationId, state, attemptCount, attempts }: DeliveryDetailDto) => ({
    state,
    posts: acme.arrivals.filter((arrival) => arrival.notificationId === notificationId).length,
    attemptCount,
    numbers: attempts.map(({ number }) => number),
  });
  await waitUntil(
    async () => {
      const all = (await Promise.all(accepted.map((one) => client.deliveryOf(one)))).map(shown);
      expect(all).toEqual(
        all.map(({ posts }) => ({
          // Every POST is acknowledged; a delivery that was cancelled before it was sent stays cancelled.
          state: posts === 0 ? 'cancelled' : 'delivered',
          posts,
          attemptCount: posts,
          numbers: Array.from({ length: posts }, (_, index) => index + 1),
        })),
      );
      return true;
    },
    { what: 'every POST to be recorded, and what was acknowledged to be delivered' },
  );
});
