import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { AuditListDto } from '#apps/api/src/audit/audit.dto';
import type { SignatureExplanationDto } from '#apps/api/src/consumers/signature/signature.dto';
import { signNotification } from '#libs/signing';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

// The test vector of docs/verifying-notifications.md.
const SECRET = 'whsec_test_0123456789';
const URL = 'https://consumer.example/ach-payments-api/v1/hook';
const BODY = '{"a":1}';
const TIMESTAMP = '1700000000';
const SIGNATURE = '6964a30a8ba691eb862b88dcaf7c2a711898b436a662c3e2e1cfbef65bdb2dcd';

let system: System;
let id: string;

beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
});
afterAll(() => system.stop());
beforeEach(async () => {
  ({ id } = await system.client.registerConsumer({
    name: 'Acme',
    url: URL,
    eventTypes: ['ach.status'],
    signingSecret: SECRET,
    credentials: { username: 'bank', password: 'a-password-of-the-test' },
  }));
});

interface Problem {
  detail: string;
  errors?: { field: string }[];
}
const ask = (body: object, of = id) =>
  system.client.call<SignatureExplanationDto & Problem>(
    'POST',
    `/v1/consumers/${of}/explain-signature`,
    body,
  );

describe('an explained signature', () => {
  it('of a pasted notification is the documented one, with its parts and nothing secret', async () => {
    const { status, body } = await ask({ body: BODY, timestamp: TIMESTAMP });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      credentialVersion: 1,
      stringToSign: `POST${URL}${BODY}${TIMESTAMP}`,
      parts: { verb: 'POST', url: URL, body: BODY, timestamp: TIMESTAMP },
      signature: SIGNATURE,
      headers: { authorization: 'Basic [redacted]', 'x-timestamp': TIMESTAMP, 'x-signature': SIGNATURE },
    });
    expect(body.notes.join(' ')).toContain('7 bytes');
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });

  it('is over the URL and the version that are pasted, and says what differs', async () => {
    await system.client.addCredentials(id, { signingSecret: 'whsec_of_version_two' });
    const url = 'https://Consumer.example:443/ach-payments-api/v1/hook';
    const { body } = await ask({ body: BODY, timestamp: '1700000000000', url, credentialVersion: 1 });
    expect(body.signature).toBe(signNotification(SECRET, { url, body: BODY, timestamp: '1700000000000' }));
    const notes = body.notes.join('\n');
    expect(notes).toContain(`the dispatcher would sign ${URL}`);
    expect(notes).toContain('looks like milliseconds');
    expect(notes).toContain('version 1; in force is version 2');
    expect((await ask({ body: BODY, timestamp: TIMESTAMP })).body.signature).toBe(
      signNotification('whsec_of_version_two', { url: URL, body: BODY, timestamp: TIMESTAMP }),
    );
  });

  it('of an attempt is what the consumer received, with the version of then', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client);
    const accepted = await client.accept(achChange(acme.company, randomUUID()));
    const delivery = await client.waitForState(accepted, 'delivered');
    const [{ request } = { request: undefined }] = acme.arrivals;
    await client.addCredentials(acme.consumerId, { generateSecret: true });
    for (const given of [{}, { attempt: 1 }]) {
      const { status, body } = await ask({ deliveryId: delivery.deliveryId, ...given }, acme.consumerId);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        credentialVersion: 1,
        signature: request?.headers['x-signature'],
        parts: { url: acme.server.url, body: request?.body, timestamp: request?.headers['x-timestamp'] },
        headers: delivery.attempts[0]?.requestHeaders,
      });
      expect(body.notes.join('\n')).toContain('this is what the consumer received');
    }
    const notIts = await ask({ deliveryId: delivery.deliveryId });
    expect([notIts.status, notIts.body.detail]).toEqual([404, 'This consumer has no such delivery.']);
    expect((await ask({ deliveryId: delivery.deliveryId, attempt: 2 }, acme.consumerId)).status).toBe(404);
  });

  it('of a delivery that was not tried is refused', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client);
    await client.pauseConsumer(acme.consumerId);
    const [delivery] = (await client.accept(achChange(acme.company, randomUUID()))).deliveries;
    const { status, body } = await ask({ deliveryId: delivery?.deliveryId }, acme.consumerId);
    expect([status, body.detail]).toEqual([409, expect.stringContaining('not been tried')]);
  });

  it('is asked for in one of two forms, whole', async () => {
    const deliveryId = randomUUID();
    const faultsOf = async (body: object): Promise<string[]> => {
      const answer = await ask(body);
      expect([body, answer.status]).toEqual([body, 422]);
      return answer.body.errors?.map(({ field }) => field) ?? [];
    };
    expect(await faultsOf({})).toEqual(['body', 'timestamp']);
    expect(await faultsOf({ body: BODY })).toEqual(['timestamp']);
    expect(await faultsOf({ timestamp: TIMESTAMP })).toEqual(['body']);
    expect(await faultsOf({ attempt: 1 })).toEqual(['deliveryId']);
    expect(await faultsOf({ deliveryId, body: BODY, url: URL })).toEqual(['body', 'url']);
    expect(await faultsOf({ body: BODY, timestamp: 'now' })).toEqual(['timestamp']);
    expect(await faultsOf({ body: BODY, timestamp: TIMESTAMP, credentialVersion: 2 })).toEqual([
      'credentialVersion',
    ]);
    expect((await ask({ deliveryId })).status).toBe(404);
    expect((await ask({ body: BODY, timestamp: TIMESTAMP }, randomUUID())).status).toBe(404);
  });

  it('is kept in the audit log: whoever asks gets a signature', async () => {
    await ask({ body: BODY, timestamp: TIMESTAMP });
    const { body } = await system.client.call<AuditListDto>('GET', `/v1/audit?target=consumer:${id}`);
    expect(body.entries[0]).toMatchObject({
      action: 'signature.explained',
      details: { pastedBytes: 7, timestamp: TIMESTAMP, credentialVersion: 1 },
    });
    expect(JSON.stringify(body)).not.toContain(SIGNATURE);
  });
});
