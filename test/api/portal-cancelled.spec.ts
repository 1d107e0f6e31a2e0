import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ReplayDto } from '#apps/api/src/resources/bulk-actions/replay.dto';
import { Customer } from '#test/support/customer';
import { portalClient } from '#test/support/portal-client';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const system = await System.shared(1);

it('what a person of the bank has cancelled, the portal neither resends nor replays, and the bank can send it', async () => {
  const customer = await Customer.onboard(system.client);
  const portal = await portalClient(system, customer.consumerId);
  const { consumerId } = customer;
  await system.client.call('POST', `/v1/consumers/${consumerId}/pause`, { reason: 'test' });
  const accepted = await system.client.accept(achChange(customer.company, randomUUID()));
  const [deliveryId = ''] = accepted.deliveries.map((delivery) => delivery.deliveryId);
  await system.client.call('POST', `/v1/deliveries/${deliveryId}/cancel`, { reason: 'sent by fax' });

  for (const body of [{}, { force: true }])
    expect(await portal.call('POST', `/v1/deliveries/${deliveryId}/retry`, body)).toMatchObject({
      status: 409,
      body: { code: 'cancelled_by_bank', detail: expect.stringMatching(/^The bank has cancelled it/) },
    });
  const { body: replay } = await portal.call<ReplayDto>('POST', '/v1/portal/replays', {
    from: '2020-01-01T00:00:00.000Z',
    scope: 'all',
  });
  await waitUntil(
    async () => {
      const { body } = await portal.call<ReplayDto>('GET', `/v1/portal/replays/${replay.id}`);
      expect(body).toMatchObject({ state: 'finished', processed: 1, changed: 0, skipped: 1 });
      return true;
    },
    { what: 'the replay to skip the cancelled delivery' },
  );
  const retried = await system.client.call('POST', `/v1/deliveries/${deliveryId}/retry`, {
    reason: 'asked for',
  });
  expect(retried.status).toBe(200);
});
