import { beforeAll, expect, it } from 'vitest';
import type { SearchDto, SearchHitDto } from '#apps/api/src/system/search/search.dto';
import { achExample, wireExample } from '#libs/contracts';
import { ApiClient } from '#test/support/api-client';
import { System } from '#test/support/system';

const system = await System.start({ backend: 'redis', workers: 0 });
let consumerId: string;
let viewer: ApiClient;
let hub: ApiClient;

const registration = {
  name: 'Northwind Traders',
  externalId: 'nw-1',
  url: 'https://consumer.example/hook',
  eventTypes: ['ach.status', 'wire.status'],
  allPayments: true,
  credentials: { username: 'bank', password: 'secret' },
};

const search = async (q: string, client = viewer): Promise<SearchDto> => {
  const { status, body } = await client.call<SearchDto>('GET', `/v1/search?q=${encodeURIComponent(q)}`);
  expect([q, status]).toEqual([q, 200]);
  return body;
};
const found = async (q: string, client = viewer): Promise<string[]> =>
  (await search(q, client)).hits.map(({ kind, matchedBy, id }) => `${kind} ${matchedBy} ${id}`);

const ach = (transactionId: string, traceNumber: string, status = 'INITIATED') => {
  const change = achExample({ transactionId });
  return { ...change, data: { achEventInfo: { ...change.data.achEventInfo, traceNumber, status } } };
};

beforeAll(async () => {
  ({ id: consumerId } = await system.client.registerConsumer(registration));
  viewer = await system.clientOf(['viewer'], 'a viewer');
  hub = await system.clientOf(['producer'], 'hub');
});

it('the search finds a payment by the ids of its events with its newest status, and events and deliveries by id', async () => {
  const [first] = await hub.acceptAll([
    ach('TX-1', '021000021000001'),
    ach('TX-1', '021000021000001', 'PROCESSED'),
  ]);
  const payment: SearchHitDto = {
    kind: 'payment',
    matchedBy: 'trace_number',
    id: 'TX-1',
    eventType: 'ach.status',
    title: 'ACH payment TX-1',
    detail: 'Newest status PROCESSED, 2 events',
  };
  expect(await search('021000021000001')).toEqual({ hits: [payment], moreRecords: false });
  expect(await search('  TX-1 ')).toEqual({
    hits: [{ ...payment, matchedBy: 'payment_id' }],
    moreRecords: false,
  });
  const { notificationId = '', deliveries = [] } = first ?? {};
  expect(await found(notificationId.toUpperCase())).toEqual([`event notification_id ${notificationId}`]);
  const deliveryId = deliveries[0]?.deliveryId ?? '';
  const { hits } = await search(deliveryId);
  expect(hits).toEqual([
    {
      kind: 'delivery',
      matchedBy: 'delivery_id',
      id: deliveryId,
      eventType: 'ach.status',
      title: 'Delivery of payment TX-1 to Northwind Traders',
      detail: 'State scheduled',
    },
  ]);
  expect(await search('TX-')).toEqual({ hits: [], moreRecords: false });
});

it('the search distinguishes an ACH payment and a wire with the same id, and finds a wire by its IMAD', async () => {
  const imad = '20251120MMQFMP9N000042';
  await hub.acceptAll([ach('SAME', '1'), wireExample({ paymentId: 'SAME', IMAD: imad })]);
  expect((await search('SAME')).hits.map(({ eventType }) => eventType)).toEqual([
    'wire.status',
    'ach.status',
  ]);
  expect(await found(imad)).toEqual(['payment imad SAME']);
});

it('the search finds a consumer by its ids and the beginning of its name, without wildcards', async () => {
  expect(await found(consumerId)).toEqual([`consumer consumer_id ${consumerId}`]);
  expect(await found('nw-1')).toEqual([`consumer external_id ${consumerId}`]);
  expect(await found('NORTHw')).toEqual([`consumer consumer_name ${consumerId}`]);
  for (const q of ['traders', 'n%', 'N_rth', '\\']) expect(await found(q)).toEqual([]);
});

it('the search finds a bulk action by its id', async () => {
  const { body } = await system.client.call<{ id: string }>('POST', '/v1/bulk-actions', {
    action: 'retry',
    reason: 'the password was wrong',
    filter: { paymentId: 'nothing' },
  });
  expect(await found(body.id)).toEqual([`bulk_action bulk_action_id ${body.id}`]);
});

it('the search shows a producer only its own payments and events', async () => {
  const other = await system.clientOf(['producer'], 'another');
  const own = await other.accept(ach('TX-1', '021000021000001', 'RETURN'));
  expect((await search('TX-1', other)).hits).toMatchObject([{ detail: 'Newest status RETURN, 1 event' }]);
  expect(await found(own.notificationId, other)).toHaveLength(1);
  expect(await found(own.notificationId, hub)).toEqual([]);
  for (const q of [consumerId, 'nw-1', 'North', own.deliveries[0]?.deliveryId ?? ''])
    expect(await found(q, other)).toEqual([]);
});

it('the search shows at most 20 hits, and reports that there are more', async () => {
  await hub.acceptAll(Array.from({ length: 21 }, (_, index) => ach(`BATCH-${String(index)}`, '77')));
  const { hits, moreRecords } = await search('77');
  expect([hits.length, moreRecords, hits[0]?.id]).toEqual([20, true, 'BATCH-20']);
});

it('the search refuses an empty text and a text of 256 characters', async () => {
  for (const query of ['', '?q=', `?q=${'x'.repeat(256)}`])
    expect((await viewer.call('GET', `/v1/search${query}`)).status).toBe(400);
  expect((await search(' ')).hits).toEqual([]);
});
