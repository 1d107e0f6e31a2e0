import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHash, randomUUID } from 'node:crypto';
import type { AuditListDto } from '#apps/api/src/resources/audit/audit.dto';
import type {
  SignatureComparisonDto,
  SignatureExplanationDto,
} from '#apps/api/src/resources/consumers/signature/signature.dto';
import { signNotification } from '#libs/signing';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

// The test vector of docs/verifying-notifications.md.
const SECRET = 'whsec_test_0123456789';
const URL = 'https://consumer.example/ach-payments-api/v1/hook';
const BODY = '{"a":1}';
const TIMESTAMP = '1700000000';
const SIGNATURE = '6964a30a8ba691eb862b88dcaf7c2a711898b436a662c3e2e1cfbef65bdb2dcd';

let system: System;
let id: string;

beforeAll(async () => {
  system = await System.shared(1);
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
const ask = <T>(body: object, of = id) =>
  system.client.call<T & Problem>('POST', `/v1/consumers/${of}/explain-signature`, body);
const explain = (body: object, of = id) => ask<SignatureExplanationDto>(body, of);
const compare = (body: object, of = id) =>
  ask<SignatureComparisonDto>({ body: BODY, timestamp: TIMESTAMP, ...body }, of);

/** An answer contains no eight consecutive characters of a signature, in hexadecimal or base64. */
function expectNoPartOf(signature: string, answer: object): void {
  const text = JSON.stringify(answer).toLowerCase();
  for (const encoding of ['hex', 'base64'] as const) {
    const written = Buffer.from(signature, 'hex').toString(encoding).toLowerCase();
    for (let at = 0; at + 8 <= written.length; at += 1) expect(text).not.toContain(written.slice(at, at + 8));
  }
}

/** A notification to a new consumer, as the consumer has received it. */
async function delivered() {
  const acme = await Customer.onboard(system.client);
  const accepted = await system.client.accept(achChange(acme.company, randomUUID()));
  const delivery = await system.client.waitForState(accepted, 'delivered');
  const [{ request } = { request: undefined }] = acme.arrivals;
  if (request === undefined) throw new Error('the consumer has received nothing');
  const { 'x-signature': signature = '', 'x-timestamp': timestamp = '' } = request.headers;
  return {
    acme,
    accepted,
    delivery,
    body: request.body,
    signature: String(signature),
    timestamp: String(timestamp),
  };
}

describe('explanation of a signature', () => {
  it('explains an attempt’s signature as the consumer received it, with the version in force then', async () => {
    const { acme, delivery, body: sent, signature, timestamp } = await delivered();
    await system.client.addCredentials(acme.consumerId, { generateSecret: true });
    for (const given of [{}, { attempt: 1 }]) {
      const { status, body } = await explain({ deliveryId: delivery.deliveryId, ...given }, acme.consumerId);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        kind: 'explanation',
        credentialVersion: 1,
        signature,
        stringToSign: `POST${acme.server.url}${sent}${timestamp}`,
        parts: { verb: 'POST', url: acme.server.url, body: sent, timestamp },
        headers: delivery.attempts[0]?.requestHeaders,
      });
      expect(body.notes.join('\n')).toContain('this is what was sent');
    }
    const foreign = await explain({ deliveryId: delivery.deliveryId });
    expect([foreign.status, foreign.body.detail]).toEqual([404, 'This consumer has no such delivery.']);
    expect((await explain({ deliveryId: delivery.deliveryId, attempt: 2 }, acme.consumerId)).status).toBe(
      404,
    );
  });

  it('refuses to explain the signature of a delivery without an attempt', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client);
    await client.pauseConsumer(acme.consumerId);
    const [delivery] = (await client.accept(achChange(acme.company, randomUUID()))).deliveries;
    const { status, body } = await explain({ deliveryId: delivery?.deliveryId }, acme.consumerId);
    expect([status, body.detail]).toEqual([409, expect.stringContaining('not been tried')]);
  });

  it('refuses to explain the signature of an attempt that failed before its request was sent', async () => {
    const acme = await Customer.onboard(system.client, { retrySchedule: [600] });
    await acme.server.close();
    const [delivery] = (await system.client.accept(achChange(acme.company, randomUUID()))).deliveries;
    await waitUntil(
      async () => {
        const { status, body } = await explain({ deliveryId: delivery?.deliveryId }, acme.consumerId);
        expect([status, body.detail]).toEqual([
          409,
          expect.stringContaining('Nothing was signed in attempt 1'),
        ]);
        return true;
      },
      { what: 'the attempt that met a closed port' },
    );
  });

  it('an explanation requires a delivery, a pasted body with the timestamp and the signature, or nothing', async () => {
    const deliveryId = randomUUID();
    const faultsOf = async (body: object): Promise<string[]> => {
      const answer = await ask(body);
      expect([body, answer.status]).toEqual([body, 422]);
      return answer.body.errors?.map(({ field }) => field) ?? [];
    };
    const whole = { body: BODY, timestamp: TIMESTAMP, signature: SIGNATURE };
    expect(await faultsOf({ body: BODY, timestamp: TIMESTAMP })).toEqual(['signature']);
    expect(await faultsOf({ body: BODY, signature: SIGNATURE })).toEqual(['timestamp']);
    expect(await faultsOf({ timestamp: TIMESTAMP, signature: SIGNATURE })).toEqual(['body']);
    expect(await faultsOf({ attempt: 1 })).toEqual(['deliveryId']);
    expect(await faultsOf({ deliveryId, body: BODY, url: URL })).toEqual(['body', 'url']);
    expect(await faultsOf({ deliveryId, signature: SIGNATURE })).toEqual(['signature']);
    expect(await faultsOf({ ...whole, timestamp: 'now' })).toEqual(['timestamp']);
    for (const signature of ['', SIGNATURE.slice(1), `${SIGNATURE}00`, 'md5=x', null])
      expect(await faultsOf({ ...whole, signature })).toEqual(['signature']);
    expect(await faultsOf({ ...whole, credentialVersion: 2 })).toEqual(['credentialVersion']);
    expect((await ask({ deliveryId })).status).toBe(404);
    expect((await ask({}, randomUUID())).status).toBe(404);
    expect((await ask(whole, randomUUID())).status).toBe(404);
  });
});

describe('comparison of a consumer’s signature', () => {
  it('a consumer’s signature matches, or is recognised in another notation of the documented one', async () => {
    const { status, body } = await compare({ signature: SIGNATURE });
    expect([status, body]).toEqual([
      200,
      {
        kind: 'comparison',
        finding: 'match',
        credentialVersion: 1,
        differences: [],
        notification: null,
        notes: expect.arrayContaining([expect.stringContaining('7 bytes')]),
      },
    ]);
    const base64 = Buffer.from(SIGNATURE, 'hex').toString('base64');
    for (const [signature, code] of [
      [`SHA256=${SIGNATURE}`, 'signature_prefix'],
      [` ${SIGNATURE} `, 'signature_blanks'],
      [SIGNATURE.toUpperCase(), 'signature_upper_case'],
      [base64, 'signature_base64'],
    ])
      expect((await compare({ signature })).body).toMatchObject({
        finding: 'variation',
        differences: [{ code }],
      });
  });

  it('names the variation that produces the consumer’s signature, also with a former or coming secret', async () => {
    const coming = 'whsec_of_version_three';
    await system.client.addCredentials(id, { signingSecret: 'whsec_of_version_two' });
    const activateAt = new Date(Date.now() + 3_600_000).toISOString();
    await system.client.addCredentials(id, { signingSecret: coming, activateAt });
    const slashed = { url: `${URL}/`, body: BODY, timestamp: TIMESTAMP };
    expect((await compare({ signature: SIGNATURE })).body).toMatchObject({
      finding: 'variation',
      credentialVersion: 1,
      differences: [{ code: 'other_version', words: expect.stringContaining('version 1') }],
    });
    expect((await compare({ signature: SIGNATURE, credentialVersion: 1 })).body.finding).toBe('match');
    expect((await compare({ signature: signNotification(coming, slashed) })).body).toMatchObject({
      finding: 'variation',
      credentialVersion: 3,
      differences: [{ code: 'url_slash' }, { code: 'other_version' }],
    });
  });

  it('a signature of another text does not match, and the answer reveals no matching signature', async () => {
    for (const [text, signature] of [
      [{ body: BODY, timestamp: TIMESTAMP, url: URL }, 'f'.repeat(64)],
      [{ body: '{"a":2}', timestamp: TIMESTAMP, url: URL }, SIGNATURE],
      [{ body: 'x'.repeat(200_000), timestamp: TIMESTAMP, url: URL }, SIGNATURE],
    ] as const) {
      const { status, body } = await compare({ ...text, signature });
      expect([status, body.finding, body.differences]).toEqual([200, 'no_match', []]);
      expectNoPartOf(signNotification(SECRET, text), body);
      expect(JSON.stringify(body)).not.toContain(SECRET);
    }
    // Neither the answer to a match nor a refusal contains the signature.
    for (const given of [{ signature: SIGNATURE }, { signature: 'none' }, {}])
      expectNoPartOf(SIGNATURE, (await compare(given)).body);
  });

  it('recognises a signature over the exact bytes of one of the consumer’s notifications', async () => {
    const { acme, accepted, delivery, ...text } = await delivered();
    const named = { notificationId: accepted.notificationId, deliveryId: delivery.deliveryId };
    const { body } = await compare(text, acme.consumerId);
    expect(body).toMatchObject({ finding: 'match', notification: { ...named, kind: 'same_bytes' } });
    // The notification belongs to another consumer, so the answer does not mention it.
    expect((await compare(text)).body).toMatchObject({ finding: 'no_match', notification: null });
  });

  it('recognises a rewritten notification and shows its first difference', async () => {
    const { acme, accepted, delivery, ...text } = await delivered();
    const rewritten = JSON.stringify(JSON.parse(text.body), null, 2);
    const signature = signNotification('another secret', { ...text, body: rewritten, url: acme.server.url });
    const { body } = await compare({ ...text, signature, body: rewritten }, acme.consumerId);
    expect(body).toMatchObject({
      finding: 'no_match',
      notification: {
        notificationId: accepted.notificationId,
        deliveryId: delivery.deliveryId,
        kind: 'rewritten',
        offset: 1,
        sent: '"notificationId"',
        given: '\n  "notification',
      },
    });
    expect((await compare({ ...text, body: `${rewritten}\n` }, acme.consumerId)).body).toMatchObject({
      finding: 'variation',
      differences: [{ code: 'body_as_sent' }],
    });
    const changed = text.body.replace('"preNote":false', '"preNote":true');
    expect((await compare({ ...text, body: changed }, acme.consumerId)).body).toMatchObject({
      notification: { kind: 'changed' },
    });
  });

  it('the audit log keeps a comparison’s URL, digest and finding, without body or signature', async () => {
    await compare({ signature: SIGNATURE, url: `${URL}/` });
    const { body } = await system.client.call<AuditListDto>('GET', `/v1/audit?target=consumer:${id}`);
    expect(body.entries[0]).toMatchObject({ action: 'signature.explained' });
    expect(body.entries[0]?.details).toEqual({
      url: `${URL}/`,
      bodySha256: createHash('sha256').update(BODY).digest('hex'),
      timestamp: TIMESTAMP,
      credentialVersion: 1,
      finding: 'variation',
      differences: ['url_registered'],
    });
    expectNoPartOf(SIGNATURE, body);
    expect(system.api.output).not.toContain(SIGNATURE);
  });
});
