import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { checkPlain, EVENT_TYPES, StatusChangeDto } from '#libs/contracts';
import { verifyBasic, verifyNotification } from '#libs/signing';
import type { TestDeliveryDto } from '#apps/api/src/resources/consumers/diagnosis/test-delivery.dto';
import { ApiClient } from '#test/support/api-client';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { startConsumer, type ConsumerServer, type ReceivedRequest } from '#test/support/consumer-server';
import { runSql } from '#test/support/run-sql';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const HOUR_MS = 3_600_000;
let system: System;
let server: ConsumerServer;

beforeAll(async () => {
  [system, server] = await Promise.all([System.start({ backend: 'redis', workers: 0 }), startConsumer()]);
});
afterAll(() => Promise.all([system.stop(), server.close()]));

const register = (change: object = {}) =>
  system.client.registerConsumer({
    name: 'Acme',
    url: server.url,
    eventTypes: ['wire.status'],
    credentials: { username: 'bank', password: 'pässword' },
    ...change,
  });
const lastRequest = (): ReceivedRequest => {
  const last = server.requests.at(-1);
  if (last === undefined) throw new Error('the consumer has received nothing');
  return last;
};
const test = (id: string, body: object = {}) =>
  system.client.call<TestDeliveryDto & { detail: string }>('POST', `/v1/consumers/${id}/test`, body);

describe('test delivery', () => {
  it('a test delivery is marked, signed like every other, and shows the consumer’s answer', async () => {
    const { id, signingSecret = '' } = await register();
    server.behave(() => ({ status: 401, body: 'who are you?', headers: { 'x-hint': 'ask' } }));
    const { status, body } = await test(id);
    expect(status).toBe(200);
    const { headers, body: received } = lastRequest();
    expect(received).toBe(body.body);
    expect(verifyBasic(headers.authorization, 'bank', 'pässword')).toBe(true);
    expect(
      verifyNotification({
        secret: signingSecret,
        url: server.url,
        rawBody: received,
        timestamp: headers['x-timestamp']?.toString(),
        signature: headers['x-signature']?.toString(),
        unit: 'seconds',
        nowMs: Date.now(),
      }),
    ).toEqual({ ok: true });
    const { notificationId, ...envelope }: { notificationId: string } = JSON.parse(received);
    expect(notificationId).toMatch(/^TEST-.{31}$/);
    expect(checkPlain(StatusChangeDto, envelope)).toMatchObject({ ok: true });
    expect(body).toMatchObject({
      notificationId,
      eventType: 'wire.status',
      credentialVersion: 1,
      url: server.url,
      outcome: 'http_status',
      httpStatus: 401,
      detail: 'HTTP 401',
      advice: expect.stringMatching(
        /^The consumer answered “who are you\?”. 401: the consumer refuses the Basic credentials/,
      ),
      responseBody: 'who are you?',
      responseHeaders: expect.objectContaining({ 'x-hint': 'ask' }),
      responseTruncated: false,
      clockSkewMs: null,
    });
    expect(body.requestHeaders).toMatchObject({
      authorization: 'Basic [redacted]',
      'x-timestamp': headers['x-timestamp'],
      'user-agent': headers['user-agent'],
    });
    server.behave(() => ({}));
    for (const eventType of EVENT_TYPES) {
      expect((await test(id, { eventType })).body).toMatchObject({ eventType, outcome: 'acknowledged' });
    }
  });

  it('a test delivery stores nothing, and changes neither a pause nor a circuit', async () => {
    const { id } = await register({ allPayments: true });
    await system.client.pauseConsumer(id);
    const before = await system.client.consumer(id);
    server.behave(() => ({ status: 500 }));
    for (let tests = 0; tests < 3; tests += 1) expect((await test(id)).body.httpStatus).toBe(500);
    server.behave(() => ({}));
    expect(await system.client.consumer(id)).toEqual(before);
    const rows = await runSql(
      system.databaseUrl,
      `select (select count(*) from attempts)::int + (select count(*) from pending_deliveries)::int
         + (select count(*) from deliveries)::int + (select count(*) from events)::int as count`,
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('a test delivery with the next credentials uses the coming version, and gets 409 without one', async () => {
    const { id } = await register();
    const none = await test(id, { credentials: 'next' });
    expect(none.status).toBe(409);
    expect(none.body.detail).toContain('No version of its credentials is coming');
    await system.client.addCredentials(id, {
      password: 'the next',
      activateAt: new Date(Date.now() + HOUR_MS).toISOString(),
    });
    expect((await test(id, { credentials: 'next' })).body).toMatchObject({ credentialVersion: 2 });
    expect(verifyBasic(lastRequest().headers.authorization, 'bank', 'the next')).toBe(true);
    expect((await test(id)).body).toMatchObject({ credentialVersion: 1 });
    expect(verifyBasic(lastRequest().headers.authorization, 'bank', 'pässword')).toBe(true);
  });

  it('a test delivery obeys the egress rules, and shows a network failure as its outcome', async () => {
    const { id } = await register({ url: 'http://10.0.0.1/hook' });
    const blocked = await test(id);
    expect(blocked.status).toBe(200);
    expect(blocked.body).toMatchObject({
      outcome: 'blocked_address',
      httpStatus: null,
      responseHeaders: null,
    });
    expect(blocked.body.advice).toContain('EGRESS_ALLOW');
  });

  it('a fifth concurrent test delivery gets 429', async () => {
    const { id } = await register({ timeoutMs: 30_000 });
    let isOpen = false;
    server.behave(async () => {
      await waitUntil(() => isOpen, { what: 'the test to let the consumer answer' });
      return {};
    });
    const seen = server.requests.length;
    const four = Array.from({ length: 4 }, () => test(id));
    await server.waitFor(seen + 4);
    const fifth = await test(id);
    expect([fifth.status, fifth.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    isOpen = true;
    expect((await Promise.all(four)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await test(id)).status).toBe(200);
  });
});

interface Failures {
  from: string;
  to: string;
  attemptsSeen: number;
  attemptsAreCapped: boolean;
  failures: Record<string, unknown>[];
  errors: { field: string }[];
}

describe('failures by cause', () => {
  const failures = (id: string, query = '') =>
    system.client.call<Failures>('GET', `/v1/consumers/${id}/failures${query}`);

  /** Inserts an attempt of this age as a worker records it. */
  const attempt = (consumerId: string, ageMs: number, outcome: string, status: number | null) =>
    runSql(
      system.databaseUrl,
      `insert into attempts (delivery_id, failed_consumer_id, number, started_at, duration_ms, outcome, http_status, detail, url,
                             credential_version, request_headers, response_truncated)
       values ((lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 19))::uuid,
               case when $3 <> 'acknowledged' then $1::uuid end, 1, now() - $2 * interval '1 millisecond', 5, $3, $4, 'HTTP ' || coalesce($5, 'none'), 'https://x.example/', 1, '{}', false)`,
      [consumerId, ageMs, outcome, status, status?.toString()],
    );

  it('failures of a consumer are grouped by cause with advice, the most frequent first, without successes', async () => {
    const [{ id }, other] = [await register(), await register()];
    for (const ageMs of [10_000, 20_000, 30_000]) await attempt(id, ageMs, 'http_status', 401);
    await attempt(id, 5_000, 'http_status', 503);
    await attempt(id, 1_000, 'timeout', null);
    await attempt(id, 1_000, 'acknowledged', 200);
    await attempt(id, 25 * HOUR_MS, 'dns', null);
    await attempt(other.id, 1_000, 'http_status', 404);
    const { status, body } = await failures(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ attemptsSeen: 5, attemptsAreCapped: false });
    expect(body.failures).toMatchObject([
      {
        outcome: 'http_status',
        httpStatus: 401,
        count: 3,
        deliveries: 3,
        lastDetail: 'HTTP 401',
        lastDeliveryId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        advice: expect.stringMatching(/^401/),
      },
      { outcome: 'timeout', httpStatus: null, count: 1 },
      { outcome: 'http_status', httpStatus: 503, count: 1 },
    ]);
    expect(Date.parse(body.to) - Date.parse(body.from)).toBe(24 * HOUR_MS);
    const longer = await failures(id, `?from=${new Date(Date.now() - 26 * HOUR_MS).toISOString()}`);
    expect(longer.body.failures).toHaveLength(4);
  });

  it('failures of real deliveries are counted once for each attempt, without successes', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, {
      retrySchedule: [1],
      behaviour: ({ time }) => ({ status: time === 1 ? 503 : 200 }),
    });
    await system.startWorker();
    const accepted = await client.accept(achChange(acme.company, randomUUID()));
    await client.waitForState(accepted, 'delivered');
    const { body } = await failures(acme.consumerId);
    expect(body.failures).toMatchObject([
      { httpStatus: 503, count: 1, lastDeliveryId: accepted.deliveries[0]?.deliveryId },
    ]);
  });

  it('the advice on a failure quotes the consumer’s answer to an admin, and never to a viewer', async () => {
    const { id } = await register();
    await attempt(id, 2_000, 'http_status', 401);
    await runSql(
      system.databaseUrl,
      `update attempts set response_body = 'unknown user' where failed_consumer_id = $1`,
      [id],
    );
    const viewer = await system.clientOf(['viewer']);
    const adviceTo = async (client: ApiClient): Promise<string> => {
      const { body } = await client.call<Failures>('GET', `/v1/consumers/${id}/failures`);
      expect(JSON.stringify(body).includes('unknown user')).toBe(client === system.client);
      return String(body.failures[0]?.['advice']);
    };
    expect(await adviceTo(system.client)).toMatch(/^The consumer answered “unknown user”\. 401: /);
    expect(await adviceTo(viewer)).toMatch(/^401: /);
  });

  it('the list of failures requires a valid time range', async () => {
    const { id } = await register();
    const [early, late] = ['2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z'];
    expect((await failures(id, `?from=${early}&to=${late}`)).body).toEqual({
      from: '2025-01-01T00:00:00.000Z',
      to: '2025-01-02T00:00:00.000Z',
      attemptsSeen: 0,
      attemptsAreCapped: false,
      failures: [],
    });
    for (const query of [`?from=${late}&to=${early}`, `?from=${early}&to=${early}`])
      expect((await failures(id, query)).body.failures).toEqual([]);
    const { status, body } = await failures(id, '?from=yesterday');
    expect([status, body.errors.map(({ field }) => field)]).toEqual([400, ['from']]);
  });
});
