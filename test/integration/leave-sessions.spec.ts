import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import {
  acceptEvents,
  fetchDeliveries,
  leaveSessions,
  Pipeline,
  PIPELINE_SETTINGS,
  recordAttempts,
  type AttemptResult,
  type LeavingSession,
  type SentRequest,
} from '#libs/database';
import { bareConsumer, deliveryOf, statusFor } from '#test/support/bare-consumer';
import { acceptStatuses, routingVersion } from '#test/support/new-status';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';
import { sql } from 'kysely';

let database: TestDatabase;
let pipeline: Pipeline;

beforeAll(async () => {
  database = await createTestDatabase();
  pipeline = new Pipeline({ url: database.url, poolSize: 6, settings: PIPELINE_SETTINGS });
});

afterAll(async () => {
  await pipeline.close();
  await database.drop();
});

const newConsumer = (settings?: { ordering: 'payment' | 'none' }): Promise<string> =>
  bareConsumer(pipeline.db, settings);

async function openSession(consumerId: string, wanted = 10) {
  const [fetched] = await fetchDeliveries(pipeline, [{ consumerId, session: null, wanted, inFlight: [] }]);
  if (fetched === undefined) throw new Error('fetchDeliveries did not open the session');
  return fetched;
}

const fetchMore = async (consumerId: string, session: number, inFlight: string[] = [], wanted = 10) =>
  (await fetchDeliveries(pipeline, [{ consumerId, session, wanted, inFlight }]))[0];

const resultFor = (
  consumerId: string,
  session: number,
  deliveryId: string,
  given: Partial<AttemptResult> = {},
): AttemptResult => ({
  consumerId,
  session,
  deliveryId,
  number: 1,
  scheduleStep: 0,
  outcome: 'acknowledged',
  httpStatus: 200,
  detail: 'ok',
  startedAt: new Date(),
  durationMs: 5,
  url: 'http://127.0.0.1:9/',
  credentialVersion: 1,
  requestHeaders: {},
  responseHeaders: null,
  responseBody: null,
  responseTruncated: false,
  clockSkewMs: null,
  probe: false,
  next: { state: 'delivered' },
  pausesConsumer: false,
  ...given,
});

const cancelAsOperator = (id: string) =>
  sql`select finish_deliveries(array[${id}::uuid], array['cancelled'], array['cancelled_manually'],
      array[null::text], array[null::int], array[null::timestamptz])`.execute(pipeline.db);

const pendingOf = async (consumerId: string) =>
  pipeline.db
    .selectFrom('pending_deliveries')
    .select(['id', 'attempts', 'schedule_step', 'next_attempt_at', 'number'])
    .where('consumer_id', '=', consumerId)
    .orderBy('number')
    .execute();

const leaving = (consumerId: string, session: number): LeavingSession => ({
  consumerId,
  session,
  nextSendInMs: null,
  succeededMsAgo: null,
  sent: [],
});

const sent = (deliveryId: string, given: Partial<SentRequest> = {}): SentRequest => ({
  deliveryId,
  eventType: 'wire.status',
  paymentId: null,
  attempts: 0,
  holdMs: 15_000,
  ...given,
});

describe('leaveSessions', () => {
  it('says when something is due next, and accept adds a job for the next event', async () => {
    const consumerId = await newConsumer();
    const event = statusFor(consumerId);
    const { consumer } = await openSession(consumerId);
    await acceptStatuses(pipeline, event);
    await leaveSessions(pipeline, [leaving(consumerId, consumer.session)]);
    const ask = async () => {
      const request = { consumerId, session: consumer.session, wanted: 0, answers: true, inFlight: [] };
      return (await fetchDeliveries(pipeline, [request]))[0]?.consumer.end;
    };
    expect((await ask())?.wakeInMs).toBeLessThanOrEqual(0);
    await recordAttempts(pipeline, [
      resultFor(consumerId, consumer.session, deliveryOf(event), {
        outcome: 'timeout',
        httpStatus: null,
        next: { retryInMs: 60_000, spendsAttempt: true },
      }),
    ]);
    expect((await ask())?.wakeInMs).toBeGreaterThan(50_000);
    const later = await acceptEvents(pipeline, [statusFor(consumerId)], await routingVersion(pipeline.db));
    expect(later).toEqual({ kind: 'accepted', enqueue: [consumerId] });
  });

  it('a fetch opens a session again that was left, under its number', async () => {
    const consumerId = await newConsumer();
    const { consumer } = await openSession(consumerId);
    await leaveSessions(pipeline, [leaving(consumerId, consumer.session)]);
    const request = {
      consumerId,
      session: consumer.session,
      reopens: true,
      answers: true,
      wanted: 1,
      inFlight: [],
    };
    expect((await fetchDeliveries(pipeline, [request]))[0]?.consumer).toMatchObject({
      session: consumer.session,
      held: true,
    });
    const later = await acceptEvents(pipeline, [statusFor(consumerId)], await routingVersion(pipeline.db));
    expect(later).toEqual({ kind: 'accepted', enqueue: [] });
  });

  it('requests in flight are held for the former session, which records them although another session is open', async () => {
    const consumerId = await newConsumer();
    const paymentId = newId();
    const [first, second, other] = [
      statusFor(consumerId, { paymentId }),
      statusFor(consumerId, { paymentId }),
      statusFor(consumerId),
    ];
    for (const event of [first, second, other]) await acceptStatuses(pipeline, event);
    const former = (await openSession(consumerId)).consumer;
    await leaveSessions(pipeline, [
      { ...leaving(consumerId, former.session), sent: [sent(deliveryOf(first), { paymentId })] },
    ]);
    const next = await openSession(consumerId);
    expect(next.deliveries.map(({ id }) => id)).toEqual([deliveryOf(other)]);
    expect(next.consumer.heldElsewhere).toBe(1);
    const recorded = await recordAttempts(pipeline, [
      resultFor(consumerId, former.session, deliveryOf(first)),
    ]);
    expect(recorded).toEqual({ held: new Set(), fenced: new Set(), released: new Set([consumerId]) });
    const more = await fetchMore(consumerId, next.consumer.session, [deliveryOf(other)]);
    expect(more?.deliveries.map(({ id }) => id)).toEqual([deliveryOf(second)]);
    expect(await pendingOf(consumerId)).toHaveLength(2);
  });

  it('a request whose worker died becomes due when its answer can come no more', async () => {
    const consumerId = await newConsumer();
    const event = statusFor(consumerId);
    await acceptStatuses(pipeline, event);
    const { consumer } = await openSession(consumerId);
    await leaveSessions(pipeline, [
      { ...leaving(consumerId, consumer.session), sent: [sent(deliveryOf(event), { holdMs: 0 })] },
    ]);
    const next = await openSession(consumerId);
    expect(next.deliveries.map(({ id }) => id)).toEqual([deliveryOf(event)]);
  });

  it('the next status of a payment waits for a request in flight that an operator cancelled', async () => {
    const consumerId = await newConsumer();
    const paymentId = newId();
    const [first, second] = [statusFor(consumerId, { paymentId }), statusFor(consumerId, { paymentId })];
    for (const event of [first, second]) await acceptStatuses(pipeline, event);
    const { consumer: former } = await openSession(consumerId);
    await cancelAsOperator(deliveryOf(first));
    await leaveSessions(pipeline, [
      { ...leaving(consumerId, former.session), sent: [sent(deliveryOf(first), { paymentId })] },
    ]);
    const { consumer, deliveries } = await openSession(consumerId);
    expect(deliveries).toEqual([]);
    await recordAttempts(pipeline, [
      resultFor(consumerId, former.session, deliveryOf(first), {
        outcome: 'timeout',
        httpStatus: null,
        next: { retryInMs: 60_000, spendsAttempt: true },
      }),
    ]);
    expect((await fetchMore(consumerId, consumer.session))?.deliveries.map(({ id }) => id)).toEqual([
      deliveryOf(second),
    ]);
  });

  it('does not hold a delivery whose answer was recorded before', async () => {
    const consumerId = await newConsumer();
    const event = statusFor(consumerId);
    await acceptStatuses(pipeline, event);
    const { consumer } = await openSession(consumerId);
    await recordAttempts(pipeline, [
      resultFor(consumerId, consumer.session, deliveryOf(event), {
        outcome: 'timeout',
        httpStatus: null,
        next: { retryInMs: 1, spendsAttempt: true },
      }),
    ]);
    await leaveSessions(pipeline, [
      { ...leaving(consumerId, consumer.session), sent: [sent(deliveryOf(event))] },
    ]);
    expect((await openSession(consumerId)).consumer.heldElsewhere).toBe(0);
  });
});
