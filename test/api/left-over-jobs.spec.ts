import type { DeliveryDetailDto } from '#apps/api/src/deliveries/delivery.dto';
import type { QueueDto } from '#apps/api/src/queue/queue.dto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

let system: System;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
});
afterAll(() => system.stop());

it('queue and database agree when a retry’s job is left over by a delivery that was cancelled', async () => {
  const customer = await Customer.onboard(system.client, {
    behaviour: () => ({ status: 500 }),
    retrySchedule: [3_600],
  });
  const { deliveries } = await system.client.accept(achChange(customer.company, 'a-1'));
  const path = `/v1/deliveries/${deliveries[0]?.deliveryId ?? ''}`;
  await waitUntil(
    async () => {
      const { body } = await system.client.call<DeliveryDetailDto>('GET', path);
      return body.state === 'queued' && body.attempts.length === 1;
    },
    { what: 'the first attempt to fail' },
  );
  const cancelled = await system.client.call('POST', `${path}/cancel`, { reason: 'not wanted any more' });
  expect(cancelled.status).toBe(200);
  const agreement = await waitUntil(
    async () => {
      const { body } = await system.client.call<QueueDto>('GET', '/v1/queue');
      const { queue, database } = body.agreement;
      return queue?.delayed === 1 && database.queued + database.sending === 0 && body.agreement;
    },
    { what: 'the queue to show the job that is left over', everyMs: 300 },
  );
  expect(agreement).toMatchObject({
    agrees: true,
    detail: expect.stringContaining('Jobs left over, at least: 1. They are harmless'),
  });
});
