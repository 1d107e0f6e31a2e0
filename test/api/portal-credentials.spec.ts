import { describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import type {
  CredentialListDto,
  CredentialsAddedDto,
} from '#apps/api/src/resources/consumers/credentials/credentials.dto';
import type {
  PortalKeyCreatedDto,
  PortalKeyListDto,
} from '#apps/api/src/resources/consumers/keys/portal-key.dto';
import { ApiClient } from '#test/support/api-client';
import { Customer } from '#test/support/customer';
import { portalClient } from '#test/support/portal-client';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';
import { makeAuthority, makeCertificate } from '../../libs/egress/src/testing/certificates.js';
import { registration } from '#test/support/registration';

const system = await System.shared(1);

async function newPeople(): Promise<{ customer: Customer; portal: ApiClient }> {
  const customer = await Customer.onboard(system.client);
  return { customer, portal: await portalClient(system, customer.consumerId) };
}

describe('own credentials', () => {
  it('a consumer’s people replace the signing secret, and the next notification is signed with it', async () => {
    const { customer, portal } = await newPeople();
    const added = await portal.call<CredentialsAddedDto>(
      'POST',
      `/v1/consumers/${customer.consumerId}/credentials`,
      {
        generateSecret: true,
      },
    );
    const { signingSecret = '', ...version } = added.body;
    expect([added.status, version]).toMatchObject([201, { version: 2, state: 'current' }]);
    expect(signingSecret).toMatch(/^whsec_/);
    customer.setSecret(signingSecret);
    await system.client.waitForState(
      await system.client.accept(achChange(customer.company, randomUUID())),
      'delivered',
    );
    expect(customer.arrivals.map(({ verdict }) => verdict)).toEqual(['verified']);
    const listed = await portal.call<CredentialListDto>(
      'GET',
      `/v1/consumers/${customer.consumerId}/credentials`,
    );
    expect(listed.body.credentials).toMatchObject([
      { version: 2, state: 'current' },
      { version: 1, state: 'former' },
    ]);
    expect(JSON.stringify(listed.body)).not.toContain(signingSecret);
  });

  it('a consumer’s people set no client certificate, and change at least one part', async () => {
    const { customer, portal } = await newPeople();
    for (const body of [{}, { activateAt: '2099-01-01T00:00Z' }, { clientCertificate: null }])
      expect(
        (await portal.call('POST', `/v1/consumers/${customer.consumerId}/credentials`, body)).status,
      ).toBe(422);
  });
});

describe('client certificate in the versions of the credentials', () => {
  it('a consumer’s people neither activate nor drop a version with another client certificate', async () => {
    const authority = makeAuthority('an-authority', 31);
    const certificate = (commonName: string) => {
      const { cert, key } = makeCertificate('DNS:us', 90, {
        issuer: authority,
        usage: 'clientAuth',
        commonName,
      });
      return { certificate: cert, privateKey: key };
    };
    const { id } = await system.client.registerConsumer(
      registration({ clientCertificate: certificate('first') }),
    );
    const portal = await portalClient(system, id);
    const activate = async (version: number): Promise<number> =>
      (await portal.call('POST', `/v1/consumers/${id}/credentials/${String(version)}/activate`, {})).status;
    const activateAt = new Date(Date.now() + 3_600_000).toISOString();
    await system.client.addCredentials(id, { clientCertificate: certificate('next'), activateAt });
    expect(await activate(2)).toBe(409);
    expect((await portal.call('DELETE', `/v1/consumers/${id}/credentials/2`)).status).toBe(409);

    await system.client.activateCredentials(id, 2);
    expect(await activate(1)).toBe(409);
    expect(
      (await portal.call('POST', `/v1/consumers/${id}/credentials`, { generateSecret: true })).status,
    ).toBe(201);
    expect(await activate(2)).toBe(200);
    expect(await system.client.activateCredentials(id, 1)).toMatchObject({ state: 'current' });
  });
});

describe('own keys', () => {
  it('an own key is shown once, belongs to the same consumer, and can be revoked', async () => {
    const { customer, portal } = await newPeople();
    const made = await portal.call<PortalKeyCreatedDto>('POST', '/v1/portal/keys', { name: 'erp' });
    expect([made.status, made.body]).toMatchObject([201, { name: 'erp', isSession: false }]);
    const own = new ApiClient(system.api.baseUrl, made.body.key);
    expect((await own.call('GET', '/v1/me')).body).toMatchObject({ consumerId: customer.consumerId });
    const listed = (await portal.call<PortalKeyListDto>('GET', '/v1/portal/keys')).body;
    expect(listed.keys.map(({ name }) => name)).toEqual(['erp', 'treasury']);
    expect(JSON.stringify(listed)).not.toContain(made.body.key);
    expect((await portal.call('DELETE', `/v1/portal/keys/${made.body.id}`)).status).toBe(204);
    await waitUntil(async () => (await own.call('GET', '/v1/portal')).status === 401, {
      what: 'the revoked key to be refused',
      everyMs: 100,
    });
  });

  it('a consumer’s people make at most 20 valid keys, also with simultaneous requests', async () => {
    const { portal } = await newPeople();
    const make = () => portal.call<PortalKeyCreatedDto>('POST', '/v1/portal/keys', { name: 'many' });
    const made = await Promise.all(Array.from({ length: 25 }, make));
    const statuses = made.map(({ status }) => status);
    // One key is that of the caller.
    expect(statuses.filter((status) => status === 201)).toHaveLength(19);
    expect(statuses.filter((status) => status === 409)).toHaveLength(6);
    const first = made.find(({ status }) => status === 201)?.body.id ?? '';
    expect((await portal.call('DELETE', `/v1/portal/keys/${first}`)).status).toBe(204);
    expect((await make()).status).toBe(201);
  });
});
