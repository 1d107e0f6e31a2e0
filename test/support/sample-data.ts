import { ApiClient } from '#test/support/api-client';
import { Customer } from '#test/support/customer';
import { achChange, achSequence, wireSequence } from '#test/support/status-changes';
import type { System } from '#test/support/system';
import { makeAuthority } from '../../libs/egress/src/testing/certificates.js';

/** The ids for the screens' URLs. */
export interface SampleIds {
  readonly consumerId: string;
  readonly deadDeliveryId: string;
  readonly notificationId: string;
  readonly bulkActionId: string;
}

/** A payment with all statuses, for the screens that show one payment. */
export const PAYMENT = 'INV-2025-0042';

const DAY_MS = 86_400_000;

/** Fills an installation with examples: healthy, failing and paused consumers, a dead delivery, audited actions. */
export async function createSampleData(system: System): Promise<SampleIds> {
  const { client } = system;
  const authority = makeAuthority('Acme-Tools-Root', 20);
  const acme = await Customer.onboard(client, {
    name: 'Acme Tools',
    contact: 'it@acme.example',
    caCertificate: authority.cert,
    clientCertificate: { certificate: authority.cert, privateKey: authority.key },
  });
  const failing = await Customer.onboard(client, {
    name: 'Brightwater Foods',
    retrySchedule: [1],
    behaviour: () => ({ status: 500, body: 'database is down' }),
  });
  const paused = await Customer.onboard(client, { name: 'Castle Freight' });

  const operator = await keyOf(system, 'ops-anna', ['operator'], 5);
  await operator.call('POST', `/v1/consumers/${paused.consumerId}/pause`, {
    reason: 'the customer asked us to wait',
  });
  await operator.call('PATCH', `/v1/consumers/${acme.consumerId}`, {
    timeoutMs: 5_000,
    notes: 'Calls back by 9.',
  });
  await operator.addCredentials(acme.consumerId, { password: 'the second password' });
  await client.call('POST', '/v1/api-keys', { name: 'payments-hub', roles: ['producer'] });

  const accepted = await client.acceptAll(achSequence(acme.company, PAYMENT));
  await client.acceptAll(wireSequence(acme.company, 'WIRE-7'));
  await client.acceptAll(achSequence(paused.company, 'RENT-11'));
  await client.accept(achChange('UNKNOWN-COMPANY', 'LOST-1'));
  const refused = await client.accept(achChange(failing.company, 'ORDER-3'));
  await acme.waitForAcknowledged(accepted);
  const dead = await client.waitForState(refused, 'dead');
  const { body: bulk } = await operator.call<{ id: string }>('POST', '/v1/bulk-actions', {
    action: 'replay',
    filter: { paymentId: PAYMENT },
    reason: 'the customer lost its notifications',
  });
  return {
    consumerId: acme.consumerId,
    deadDeliveryId: dead.deliveryId,
    notificationId: accepted[0]?.notificationId ?? '',
    bulkActionId: bulk.id,
  };
}

/** Creates a key that expires after `days` days. @returns a client with this key */
async function keyOf(system: System, name: string, roles: string[], days: number): Promise<ApiClient> {
  const expiresAt = new Date(Date.now() + days * DAY_MS).toISOString();
  const { body } = await system.client.call<{ key: string }>('POST', '/v1/api-keys', {
    name,
    roles,
    expiresAt,
  });
  return new ApiClient(system.api.baseUrl, body.key);
}
