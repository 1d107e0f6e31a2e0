import { describe, expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import {
  acceptEvents,
  fetchDeliveries,
  leaveSessions,
  recordAttempts,
  type LeavingSession,
  type SentRequest,
} from '#libs/database';
import { fetchMore, openSession, pendingOf, resultFor } from '#test/support/delivery-statements';
import { cancelDeliveries } from '#test/support/finish-delivery';
import { acceptStatuses, routingVersion, deliveryOf, statusFor } from '#test/support/new-status';
import { fileDatabase } from '#test/support/file-database';
import { insertConsumer } from '#test/support/consumer-row';

const { pipeline } = await fileDatabase();

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
    const consumerId = await insertConsumer(pipeline.db);
    const event = statusFor(consumerId);
    const { consumer } = await openSession(pipeline, consumerId);
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
    const consumerId = await insertConsumer(pipeline.db);
    const { consumer } = await openSession(pipeline, consumerId);
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
    const consumerId = await insertConsumer(pipeline.db);
    const paymentId = newId();
    const [first, second, other] = [
      statusFor(consumerId, { paymentId }),
      statusFor(consumerId, { paymentId }),
      statusFor(consumerId),
    ];
    for (const event of [first, second, other]) await acceptStatuses(pipeline, event);
    const former = (await openSession(pipeline, consumerId)).consumer;
    await leaveSessions(pipeline, [
      { ...leaving(consumerId, former.session), sent: [sent(deliveryOf(first), { paymentId })] },
    ]);
    const next = await openSession(pipeline, consumerId);
    expect(next.deliveries.map(({ id }) => id)).toEqual([deliveryOf(other)]);
    expect(next.consumer.heldElsewhere).toBe(1);
    const recorded = await recordAttempts(pipeline, [
      resultFor(consumerId, former.session, deliveryOf(first)),
    ]);
    expect(recorded).toEqual({ held: new Set(), fenced: new Set(), released: new Set([consumerId]) });
    const more = await fetchMore(pipeline, consumerId, next.consumer.session, [deliveryOf(other)]);
    expect(more?.deliveries.map(({ id }) => id)).toEqual([deliveryOf(second)]);
    expect(await pendingOf(pipeline.db, consumerId)).toHaveLength(2);
  });

  it('a request whose worker died becomes due when its answer can come no more', async () => {
    const consumerId = await insertConsumer(pipeline.db);
    const event = statusFor(consumerId);
    await acceptStatuses(pipeline, event);
    const { consumer } = await openSession(pipeline, consumerId);
    await leaveSessions(pipeline, [
      { ...leaving(consumerId, consumer.session), sent: [sent(deliveryOf(event), { holdMs: 0 })] },
    ]);
    const next = await openSession(pipeline, consumerId);
    expect(next.deliveries.map(({ id }) => id)).toEqual([deliveryOf(event)]);
    // It counts no more as the former session's: until its turn comes it would take a place of `maxConcurrency`.
    expect(next.consumer.heldElsewhere).toBe(0);
  });

  it('the next status of a payment waits for a request in flight that an operator cancelled', async () => {
    const consumerId = await insertConsumer(pipeline.db);
    const paymentId = newId();
    const [first, second] = [statusFor(consumerId, { paymentId }), statusFor(consumerId, { paymentId })];
    for (const event of [first, second]) await acceptStatuses(pipeline, event);
    const { consumer: former } = await openSession(pipeline, consumerId);
    await cancelDeliveries(pipeline.db, [deliveryOf(first)]);
    await leaveSessions(pipeline, [
      { ...leaving(consumerId, former.session), sent: [sent(deliveryOf(first), { paymentId })] },
    ]);
    const { consumer, deliveries } = await openSession(pipeline, consumerId);
    expect(deliveries).toEqual([]);
    await recordAttempts(pipeline, [
      resultFor(consumerId, former.session, deliveryOf(first), {
        outcome: 'timeout',
        httpStatus: null,
        next: { retryInMs: 60_000, spendsAttempt: true },
      }),
    ]);
    expect((await fetchMore(pipeline, consumerId, consumer.session))?.deliveries.map(({ id }) => id)).toEqual(
      [deliveryOf(second)],
    );
  });

  it('the end of an earlier status does not make a status due that an ended session is sending', async () => {
    const consumerId = await insertConsumer(pipeline.db);
    const paymentId = newId();
    const [first, second] = [statusFor(consumerId, { paymentId }), statusFor(consumerId, { paymentId })];
    for (const event of [first, second]) await acceptStatuses(pipeline, event);
    const { consumer: former } = await openSession(pipeline, consumerId);
    await leaveSessions(pipeline, [
      { ...leaving(consumerId, former.session), sent: [sent(deliveryOf(second), { paymentId })] },
    ]);
    await cancelDeliveries(pipeline.db, [deliveryOf(first)]);
    const { consumer, deliveries } = await openSession(pipeline, consumerId);
    expect([deliveries, consumer.heldElsewhere]).toEqual([[], 1]);
  });

  it('does not hold the next status of a payment whose earlier one was acknowledged and recorded before', async () => {
    const consumerId = await insertConsumer(pipeline.db);
    const paymentId = newId();
    const [first, second] = [statusFor(consumerId, { paymentId }), statusFor(consumerId, { paymentId })];
    for (const event of [first, second]) await acceptStatuses(pipeline, event);
    const { consumer } = await openSession(pipeline, consumerId);
    await recordAttempts(pipeline, [resultFor(consumerId, consumer.session, deliveryOf(first))]);
    await leaveSessions(pipeline, [
      { ...leaving(consumerId, consumer.session), sent: [sent(deliveryOf(first), { paymentId })] },
    ]);
    const next = await openSession(pipeline, consumerId);
    expect(next.deliveries.map(({ id }) => id)).toEqual([deliveryOf(second)]);
    expect(next.consumer.heldElsewhere).toBe(0);
  });

  it('does not hold a delivery whose answer was recorded before', async () => {
    const consumerId = await insertConsumer(pipeline.db);
    const event = statusFor(consumerId);
    await acceptStatuses(pipeline, event);
    const { consumer } = await openSession(pipeline, consumerId);
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
    expect((await openSession(pipeline, consumerId)).consumer.heldElsewhere).toBe(0);
  });
});
