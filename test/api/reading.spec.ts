import type { DeliveryDetailDto } from '#apps/api/src/resources/deliveries/delivery.dto';
import type { NotificationListDto } from '#apps/api/src/resources/notifications/notification.dto';
import type { OverviewDto } from '#apps/api/src/system/overview/overview.dto';
import type { StatsDto } from '#apps/api/src/system/stats/stats.dto';
import type { PaymentDetailDto, PaymentListDto } from '#apps/api/src/resources/payments/payment.dto';
import { describe, expect, it } from 'vitest';
import { achExample, wireExample } from '#libs/contracts';
import { v7 as uuidv7 } from 'uuid';
import { ApiClient } from '#test/support/api-client';
import { DocumentChecker, printedDocument } from '#test/support/api-document';
import { Customer } from '#test/support/customer';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';
import { runSql } from '#test/support/run-sql';

const [system, document] = await Promise.all([System.start({ backend: 'redis' }), printedDocument()]);
const checker = new DocumentChecker(document);
const viewer = await system.clientOf(['viewer']);
const oncall = await system.clientOf(['oncall']);

async function get<T>(client: ApiClient, path: string, operation = path.split('?')[0] ?? path): Promise<T> {
  const { status, headers, body } = await client.call<T>('GET', path);
  expect([path, status]).toEqual([path, 200]);
  const answer = { status, contentType: headers.get('content-type'), body };
  expect(checker.answerFaults('GET', operation, answer)).toEqual([]);
  return body;
}

const wireFor = (customer: Customer, given: Parameters<typeof wireExample>[0]) => {
  const change = wireExample(given);
  const { originalWire } = change.data.wireEventInfo;
  if (originalWire !== undefined) originalWire.originatorInfo.wireCompanyId = customer.company;
  return change;
};
const achFor = (customer: Customer, given: Parameters<typeof achExample>[0]) => {
  const change = achExample(given);
  change.data.achEventInfo.debtor.achCompanyId = customer.company;
  return change;
};

describe('payments', () => {
  it('a transaction shows its newest status, and its statuses in order with their deliveries', async () => {
    const customer = await Customer.onboard(system.client);
    const producer = await system.clientOf(['producer'], 'the wires');
    const paymentId = `t/${uuidv7()} ü`;
    const accepted = await producer.acceptAll([
      wireFor(customer, { paymentId, status: 'Review' }),
      wireFor(customer, { paymentId, status: 'Complete' }),
    ]);
    await customer.waitForAcknowledged(accepted);
    const path = `/v1/payments/wire/${encodeURIComponent(paymentId)}`;
    const detail = await get<PaymentDetailDto>(viewer, path, '/v1/payments/{kind}/{paymentId}');
    expect(detail).toMatchObject({
      kind: 'wire',
      paymentId,
      newestStatus: 'Complete',
      statusCount: 2,
      consumerIds: [customer.consumerId],
    });
    expect(
      detail.statuses.map(({ number, status, notificationId }) => [number, status, notificationId]),
    ).toEqual([
      [1, 'Review', accepted[0]?.notificationId],
      [2, 'Complete', accepted[1]?.notificationId],
    ]);
    expect(detail.statuses[0]?.deliveries).toEqual([
      expect.objectContaining({ consumerId: customer.consumerId, consumerName: customer.company }),
    ]);
    expect((await producer.call('GET', path)).status).toBe(200);
    expect((await (await system.clientOf(['producer'])).call('GET', path)).status).toBe(404);
    expect((await viewer.call('GET', path.replace('wire', 'ach'))).status).toBe(404);
    expect((await viewer.call('GET', path.replace('wire', 'card'))).status).toBe(404);
  });

  it('payments are filtered by kind, id, newest status, consumer and time; a producer finds its own', async () => {
    const customer = await Customer.onboard(system.client);
    const [one, other] = [
      await system.clientOf(['producer'], 'one'),
      await system.clientOf(['producer'], 'other'),
    ];
    const paymentId = uuidv7();
    const from = new Date().toISOString();
    await one.acceptAll([
      wireFor(customer, { paymentId, status: 'Review' }),
      achFor(customer, { transactionId: paymentId, status: 'RETURN' }),
    ]);
    await other.accept(wireFor(customer, { paymentId, status: 'Complete' }));
    const found = async (query: string, client = viewer): Promise<string[]> => {
      const list = await get<PaymentListDto>(client, `/v1/payments?paymentId=${paymentId}&${query}`);
      return list.payments.map(({ kind, newestStatus }) => `${kind} ${newestStatus ?? ''}`);
    };
    expect(await found('')).toEqual(['wire Complete', 'ach RETURN']);
    expect(await found('kind=ach')).toEqual(['ach RETURN']);
    expect(await found('status=Complete')).toEqual(['wire Complete']);
    expect(await found('status=Review')).toEqual([]);
    expect(await found(`consumerId=${customer.consumerId}`)).toHaveLength(2);
    expect(await found(`consumerId=${uuidv7()}`)).toEqual([]);
    expect(await found(`from=${from}`)).toHaveLength(2);
    expect(await found(`to=${from}`)).toEqual([]);
    expect(await found('', one)).toHaveLength(2);
    expect(await found('', other)).toEqual(['wire Complete']);
  });
});

describe('notifications of a consumer', () => {
  it('a consumer reads exactly the envelopes that were sent to it, page by page', async () => {
    const [customer, other] = [await Customer.onboard(system.client), await Customer.onboard(system.client)];
    const accepted = await system.client.acceptAll([
      achFor(customer, { transactionId: 'n-1', amount: '1.10' }),
      wireFor(customer, { paymentId: 'n-2' }),
      achFor(other, { transactionId: 'n-3' }),
      achFor(customer, { transactionId: 'n-4' }),
    ]);
    const [first, second, , third] = accepted;
    await customer.waitForAcknowledged([first, second, third].flatMap((one) => one ?? []));
    const { key } = (
      await system.client.call<{ key: string }>('POST', `/v1/consumers/${customer.consumerId}/keys`, {
        name: 'own key',
      })
    ).body;
    const client = new ApiClient(system.api.baseUrl, key);
    const list = await waitUntil(
      async () => {
        const page = await get<NotificationListDto>(client, '/v1/notifications?limit=2');
        return page.events.length === 2 && page;
      },
      { what: 'the notifications to be listed' },
    );
    expect(list.pagination).toEqual({ offset: '2', moreRecords: true });
    const rest = await get<NotificationListDto>(client, '/v1/notifications?limit=2&offset=2');
    expect(rest.pagination).toEqual({ offset: '3', moreRecords: false });
    const raw = await fetch(`${system.api.baseUrl}/v1/notifications`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const text = await raw.text();
    for (const { request } of customer.arrivals) expect(text).toContain(request.body);
    expect(text).not.toContain('n-3');
    const wires = await get<NotificationListDto>(client, '/v1/notifications?eventType=wire.status');
    expect(wires.events).toHaveLength(1);
    for (const path of ['/v1/events', '/v1/overview', '/v1/payments'])
      expect((await client.call('GET', path)).status).toBe(403);
    expect((await system.client.call('GET', '/v1/notifications')).status).toBe(403);
  });
});

describe('masking for viewers', () => {
  it('a viewer sees no account number, even where the consumer’s answer repeats it', async () => {
    const customer = await Customer.onboard(system.client, {
      behaviour: ({ request }) => ({
        status: 400,
        body: request.body,
        headers: { 'x-echo': Buffer.from(request.body).toString('base64') },
      }),
      retrySchedule: [60],
    });
    const change = achFor(customer, { transactionId: uuidv7() });
    const { debtor, creditor } = change.data.achEventInfo;
    const accepted = await system.client.accept(change);
    const delivery = await waitUntil(
      async () => {
        const one = await system.client.deliveryOf(accepted);
        return one.attempts.length > 0 && one;
      },
      { what: 'the first attempt' },
    );
    const secrets = [debtor.account.accountId, creditor.account.accountId];
    const paths = [
      `/v1/deliveries/${delivery.deliveryId}`,
      `/v1/deliveries?notificationId=${accepted.notificationId}`,
      `/v1/events/${accepted.notificationId}`,
      `/v1/events?paymentId=${delivery.paymentId ?? ''}`,
      `/v1/payments/ach/${delivery.paymentId ?? ''}`,
      `/v1/payments?paymentId=${delivery.paymentId ?? ''}`,
      '/v1/overview',
      `/v1/consumers/${customer.consumerId}`,
    ];
    for (const path of paths) {
      const text = JSON.stringify((await viewer.call('GET', path)).body);
      for (const secret of secrets) expect(text.includes(secret)).toBe(false);
      expect(text).not.toMatch(/x-echo/);
    }
    const [seen] = (await viewer.delivery(delivery.deliveryId)).attempts;
    expect(seen).toMatchObject({
      httpStatus: 400,
      responseHeaders: null,
      responseBody: null,
      responseWithheld: true,
      advice: expect.not.stringContaining('The consumer answered'),
    });
    const [shown] = (
      await get<DeliveryDetailDto>(oncall, `/v1/deliveries/${delivery.deliveryId}`, '/v1/deliveries/{id}')
    ).attempts;
    expect(shown?.responseBody).toContain(secrets[0]);
    expect(shown).toMatchObject({
      responseWithheld: false,
      advice: expect.stringContaining('The consumer answered'),
      responseHeaders: { 'x-echo': expect.any(String) },
    });
  });
});

describe('queue and statistics', () => {
  it('GET /v1/overview shows states, workers, consumers that need attention and the agreement with the database', async () => {
    const customer = await Customer.onboard(system.client, {
      name: 'Paused & Co',
      contact: 'ops@paused.example',
    });
    await system.client.pauseConsumer(customer.consumerId);
    await system.client.acceptAll([
      achFor(customer, { transactionId: uuidv7() }),
      achFor(customer, { transactionId: uuidv7() }),
    ]);
    const queue = await waitUntil(
      async () => {
        const one = await get<OverviewDto>(viewer, '/v1/overview');
        const held = one.states.find(({ holdReason }) => holdReason === 'paused');
        const own = one.trouble.find(({ consumerId }) => consumerId === customer.consumerId);
        return held?.count === 2 && own?.health.waiting === 2 && one.workers.length === 1 && one;
      },
      { what: 'GET /v1/overview to show the paused deliveries', everyMs: 300 },
    );
    expect(queue.states.map(({ state, holdReason }) => holdReason ?? state)).toEqual([
      'queued',
      'sending',
      'paused',
      'circuit',
      'concurrency',
      'order',
      'secret',
      'record',
    ]);
    expect(queue.trouble.find(({ consumerId }) => consumerId === customer.consumerId)).toMatchObject({
      name: 'Paused & Co',
      contact: 'ops@paused.example',
      health: {
        state: 'paused',
        planned: true,
        waiting: 2,
        summary: 'Paused: maintenance.',
      },
    });
    expect(queue.agreement).toMatchObject({ agrees: true, database: { overdueConsumers: 0 } });
    expect(queue.sending).toEqual({ state: 'active', pausedAt: null, pauseReason: null, pausedBy: null });
    const rows = await runSql<{ count: string }>(
      system.databaseUrl,
      `select count(*) from events where consumer_ids = '{}'`,
    );
    expect(queue.unrouted.count).toBe(Number(rows[0]?.count));
  });
  const countedIn = ({ points }: StatsDto): number =>
    points.reduce((total, { accepted, attempts }) => total + accepted + attempts, 0);
  it('GET /v1/stats returns a point for every step of the time range, with counts and latency', async () => {
    const customer = await Customer.onboard(system.client);
    const accepted = await system.client.accept(achFor(customer, { transactionId: uuidv7() }));
    await customer.waitForAcknowledged([accepted]);
    const stats = await waitUntil(
      async () => {
        const one = await get<StatsDto>(viewer, `/v1/stats?consumerId=${customer.consumerId}`);
        // The api and the worker write their counts independently, each at intervals.
        return countedIn(one) >= 2 && one;
      },
      { what: 'the statistics to count the delivery', everyMs: 300 },
    );
    expect(stats.stepSeconds).toBe(60);
    expect(stats.points.length).toBeGreaterThanOrEqual(60);
    expect(stats.points.map(({ at }) => Date.parse(at) - Date.parse(stats.from))).toEqual(
      stats.points.map((_, index) => index * 60_000),
    );
    expect(countedIn(stats)).toBe(2);
    expect(stats.points.find(({ delivered }) => delivered > 0)?.latencyP95Ms).toBeGreaterThan(0);
    expect((await get<StatsDto>(viewer, `/v1/stats?from=${stats.to}&to=${stats.from}`)).points).toEqual([]);
  });
});
