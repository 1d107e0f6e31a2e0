import { describe, expect, it } from 'vitest';
import { achExample } from '#libs/contracts';
import type { BulkActionDto } from '#apps/api/src/resources/bulk-actions/bulk-action.dto';
import type { DeliveryDto } from '#apps/api/src/resources/deliveries/delivery.dto';
import type { OverviewDto } from '#apps/api/src/system/overview/overview.dto';
import { runSql } from '#test/support/run-sql';
import { System } from '#test/support/system';
import { registration } from '#test/support/registration';
import { waitUntil } from '#test/support/wait-until';

const system = await System.start({ backend: 'redis', workers: 0 });
let serial = 0;

const REASON = 'ticket 4711';
const UNKNOWN_ID = '0199c2f2-7b5e-7c3a-8f00-000000000000';

interface Problem {
  detail: string;
  errors?: { field: string; message: string }[];
}

const post = <T = Problem>(path: string, body?: object) => system.client.call<T>('POST', path, body);

/** A consumer with one delivery, which stays queued because no worker runs. */
async function oneDelivery(): Promise<{ consumerId: string; deliveryId: string; notificationId: string }> {
  serial += 1;
  const company = `COMPANY-${String(serial)}`;
  const { id } = await system.client.registerConsumer({
    name: company,
    url: 'https://consumer.example/hook',
    eventTypes: ['ach.status'],
    achCompanyIds: [company],
    credentials: { username: 'bank', password: 'a-password-of-the-test' },
  });
  const change = achExample({ transactionId: company });
  change.data.achEventInfo.debtor.achCompanyId = company;
  const { notificationId, deliveries } = await system.client.accept(change);
  return { consumerId: id, deliveryId: deliveries[0]?.deliveryId ?? '', notificationId };
}

/** Ends a delivery as its attempts would. */
const finish = (deliveryId: string, state: 'dead' | 'delivered') =>
  runSql(
    system.databaseUrl,
    `with gone as (delete from pending_deliveries where id = $1 returning *)
     insert into deliveries (id, event_id, consumer_id, event_type, payment_id, number, status, state, attempts,
                             created_at, finished_at)
     select id, event_id, consumer_id, event_type, payment_id, number, status, $2, attempts, created_at, now() from gone`,
    [deliveryId, state],
  );

const audited = (target: string) =>
  runSql<{ actor: string; action: string; reason: string | null; address: string | null }>(
    system.databaseUrl,
    'select actor, action, reason, address from audit_log where target = $1 order by id',
    [target],
  );

describe('retry and cancel of one delivery', () => {
  it('retry and cancel answer with the delivery’s new state, and the audit log keeps actor and reason', async () => {
    const { deliveryId } = await oneDelivery();
    await finish(deliveryId, 'dead');
    const retried = await system.client.call<DeliveryDto>(
      'POST',
      `/v1/deliveries/${deliveryId}/retry`,
      { reason: REASON },
      // The processes of the tests trust the loopback address as a proxy (TRUSTED_PROXIES).
      { headers: { 'x-forwarded-for': '203.0.113.7' } },
    );
    expect([retried.status, retried.body.state, retried.body.endReason]).toEqual([200, 'queued', null]);
    const cancelled = await post<DeliveryDto>(`/v1/deliveries/${deliveryId}/cancel`);
    expect([cancelled.status, cancelled.body.state, cancelled.body.endReason]).toEqual([
      200,
      'cancelled',
      'cancelled_manually',
    ]);
    expect(await post(`/v1/deliveries/${deliveryId}/cancel`)).toMatchObject({
      status: 200,
      body: cancelled.body,
    });
    expect(await audited(`delivery:${deliveryId}`)).toEqual([
      { actor: 'admin', action: 'delivery.retried', reason: REASON, address: '203.0.113.7' },
      { actor: 'admin', action: 'delivery.cancelled', reason: null, address: '127.0.0.1' },
    ]);
  });

  it('a retried delivery that must wait shows its hold reason', async () => {
    const { deliveryId, consumerId } = await oneDelivery();
    await system.client.pauseConsumer(consumerId);
    const { status, body } = await post<DeliveryDto>(`/v1/deliveries/${deliveryId}/retry`);
    expect([status, body.state, body.holdReason]).toEqual([200, 'held', 'paused']);
  });

  it('a refused retry or cancel explains the reason and what to do', async () => {
    const { deliveryId, consumerId } = await oneDelivery();
    const [retry, cancel] = [`/v1/deliveries/${deliveryId}/retry`, `/v1/deliveries/${deliveryId}/cancel`];
    await finish(deliveryId, 'delivered');
    expect(await post(retry)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('"force": true') },
    });
    expect((await post(cancel)).status).toBe(409);
    expect((await post(retry, { force: true })).status).toBe(200);
    await finish(deliveryId, 'dead');
    await fetch(`${system.api.baseUrl}/v1/consumers/${consumerId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${system.adminKey}` },
    });
    expect(await post(retry)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('consumer is removed') },
    });
  });
});

describe('manual sending of an event', () => {
  it('sending an event manually creates its deliveries and refuses consumers that must not receive it', async () => {
    const change = achExample({ transactionId: 'unrouted-1' });
    change.data.achEventInfo.debtor.achCompanyId = 'LATE';
    change.data.achEventInfo.creditor.achCompanyId = 'LATER';
    const { notificationId } = await system.client.accept(change);
    const path = `/v1/events/${notificationId}/deliveries`;
    expect((await system.client.event(notificationId)).unrouted).toBe(true);
    const late = await system.client.registerConsumer(
      registration({ name: 'late', externalId: 'late', achCompanyIds: ['LATE'] }),
    );
    const { consumerId: other } = await oneDelivery();
    expect(await post(path, { consumers: [other], reason: REASON })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'consumers[0]' }] },
    });
    const sent = await post<{ deliveries: DeliveryDto[] }>(path, { consumers: ['late'], reason: REASON });
    expect([sent.status, sent.body.deliveries.map((d) => [d.consumerId, d.state])]).toEqual([
      201,
      [[late.id, 'queued']],
    ]);
    const event = await system.client.event(notificationId);
    expect([event.unrouted, event.deliveries]).toEqual([false, sent.body.deliveries]);
    expect((await system.client.events({ unrouted: 'true' })).events).toEqual([]);
    expect(await post(path, { consumers: ['late'], reason: REASON })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining(late.id) },
    });
    expect(await audited(`event:${notificationId}`)).toEqual([
      { actor: 'admin', action: 'event.sent', reason: REASON, address: '127.0.0.1' },
    ]);
  });
});

describe('unrouted events', () => {
  it('unrouted events are counted until they are marked as seen, and sent together to a consumer that matches', async () => {
    const change = achExample({ transactionId: 'unrouted-2' });
    change.data.achEventInfo.debtor.achCompanyId = 'UNKNOWN';
    change.data.achEventInfo.creditor.achCompanyId = 'UNKNOWN';
    const { notificationId } = await system.client.accept(change);
    const counted = (wanted: number) =>
      waitUntil(
        async () => {
          const { unrouted } = (await system.client.call<OverviewDto>('GET', '/v1/overview')).body;
          return unrouted.count === wanted && unrouted;
        },
        { what: `the number of new unrouted events to be ${String(wanted)}` },
      );
    const { until } = await counted(1);
    expect(await post('/v1/events/unrouted/seen', { until })).toMatchObject({ status: 204 });
    expect((await counted(0)).seenUntil).toBe(until);
    expect((await system.client.events({ unrouted: 'true' })).events).toHaveLength(1);
    expect(await audited('unrouted')).toEqual([
      { actor: 'admin', action: 'unrouted.seen', reason: null, address: '127.0.0.1' },
    ]);
    const sendAll = (how = {}) =>
      post('/v1/events/unrouted/send', { notificationIds: [notificationId], reason: REASON, ...how });
    expect(await sendAll()).toMatchObject({ status: 200, body: { sent: 0, notSent: 1, consumers: [] } });
    const { id } = await system.client.registerConsumer(registration({ achCompanyIds: ['UNKNOWN'] }));
    const body = { sent: 1, notSent: 0, consumers: [{ consumerId: id, events: 1 }] };
    // A dry run sends nothing, so that the same events are sent afterwards.
    for (const dryRun of [true, false])
      expect(await sendAll({ dryRun })).toMatchObject({ status: 200, body });
    expect((await system.client.events({ unrouted: 'true' })).events).toEqual([]);
    expect(await post('/v1/events/unrouted/send', { notificationIds: ['x'], reason: REASON })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'notificationIds[0]' }] },
    });
  });
});

describe('bulk action', () => {
  it('a bulk action is counted by a dry run, started, read and stopped', async () => {
    const { consumerId, deliveryId } = await oneDelivery();
    await finish(deliveryId, 'dead');
    const order = { action: 'replay', filter: { consumerId, httpStatus: undefined }, reason: REASON };
    expect(await post('/v1/bulk-actions', { ...order, dryRun: true })).toMatchObject({
      status: 200,
      body: { action: 'replay', matched: 1 },
    });
    const { status, body } = await post<BulkActionDto>('/v1/bulk-actions', order);
    expect([status, body]).toEqual([
      202,
      {
        id: expect.any(String),
        action: 'replay',
        filter: { consumerId },
        reason: REASON,
        state: 'running',
        matched: 1,
        processed: 0,
        changed: 0,
        skipped: 0,
        createdBy: 'admin',
        startedFor: null,
        stoppedBy: null,
        lastFault: null,
        createdAt: expect.any(String),
        finishedAt: null,
      },
    ]);
    const path = `/v1/bulk-actions/${body.id}`;
    expect((await system.client.call('GET', path)).body).toEqual(body);
    expect((await system.client.call('GET', '/v1/bulk-actions?limit=1')).body).toMatchObject({
      bulkActions: [body],
    });
    const stopped = await post<BulkActionDto>(`${path}/stop`, { reason: 'a mistake' });
    expect([stopped.status, stopped.body]).toEqual([
      200,
      { ...body, state: 'stopped', stoppedBy: 'admin', finishedAt: expect.any(String) },
    ]);
    expect((await post(`${path}/stop`, { reason: 'again' })).status).toBe(200);
    expect((await audited(`bulk-action:${body.id}`)).map((entry) => [entry.action, entry.reason])).toEqual([
      ['bulk-action.started', REASON],
      ['bulk-action.stopped', 'a mistake'],
    ]);
    await runSql(system.databaseUrl, `update bulk_actions set state = 'finished' where id = $1`, [body.id]);
    expect((await post(`${path}/stop`, { reason: 'again' })).status).toBe(409);
  });

  it('a bulk action is refused with the new count when more deliveries match than expected', async () => {
    const { consumerId, deliveryId } = await oneDelivery();
    await finish(deliveryId, 'dead');
    const order = { action: 'replay', filter: { consumerId }, reason: REASON };
    const refused = await post('/v1/bulk-actions', { ...order, expectedCount: 0 });
    expect([refused.status, refused.headers.get('content-type')?.split(';')[0], refused.body]).toEqual([
      409,
      'application/problem+json',
      expect.objectContaining({
        status: 409,
        matched: 1,
        detail:
          'Deliveries that match now: 1, more than the expected 0. Nothing was started. Look at the new count, and ask again with it.',
      }),
    ]);
    expect((await system.client.call('GET', '/v1/bulk-actions?limit=1')).body).not.toMatchObject({
      bulkActions: [{ filter: { consumerId } }],
    });
    for (const expectedCount of [1, 2]) {
      expect(await post('/v1/bulk-actions', { ...order, expectedCount })).toMatchObject({
        status: 202,
        body: { matched: 1 },
      });
    }
  });

  it('a failed bulk action shows its fault, and cannot be stopped', async () => {
    const order = { action: 'retry', filter: { consumerId: UNKNOWN_ID }, reason: REASON };
    const { body } = await post<BulkActionDto>('/v1/bulk-actions', order);
    const lastFault = 'A step took longer than PostgreSQL may take for a statement.';
    await runSql(
      system.databaseUrl,
      `update bulk_actions set state = 'failed', failures = 10, last_fault = $2, finished_at = now() where id = $1`,
      [body.id, lastFault],
    );
    const path = `/v1/bulk-actions/${body.id}`;
    expect((await system.client.call('GET', path)).body).toMatchObject({ state: 'failed', lastFault });
    expect(await post(`${path}/stop`, { reason: 'again' })).toMatchObject({
      status: 409,
      body: { detail: 'It has failed; there is nothing to stop.' },
    });
  });

  it('a bulk action refuses an empty filter and invalid fields', async () => {
    const order = { action: 'retry', reason: REASON };
    for (const dryRun of [true, false]) {
      expect(await post('/v1/bulk-actions', { ...order, filter: {}, dryRun })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'filter', message: 'must name at least one field' }] },
      });
    }
    const { body } = await post('/v1/bulk-actions', {
      ...order,
      action: 'explode',
      filter: { state: 'gone', httpStatus: '500', from: 'yesterday', colour: 'red' },
    });
    expect(body.errors?.map(({ field }) => field).toSorted()).toEqual([
      'action',
      'filter.colour',
      'filter.from',
      'filter.httpStatus',
      'filter.state',
    ]);
  });
});
