import { describe, expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import { fetchDeliveries, parkDeliveries, recordAttempts } from '#libs/database';
import { fetchMore, openSession, pendingOf, resultFor } from '#test/support/delivery-statements';
import { cancelDeliveries } from '#test/support/finish-delivery';
import { acceptStatuses, deliveryOf, statusFor } from '#test/support/new-status';
import { sql } from 'kysely';
import { fileDatabase } from '#test/support/file-database';
import { insertConsumer } from '#test/support/consumer-row';

const { pipeline } = await fileDatabase();

describe('fetchDeliveries', () => {
  it('opens each session with a higher number, and reports to the former session that it is fenced', async () => {
    const consumerId = await insertConsumer(pipeline.db);
    const first = await openSession(pipeline, consumerId);
    const second = await openSession(pipeline, consumerId);
    expect(second.consumer.session).toBe(first.consumer.session + 1);
    expect((await fetchMore(pipeline, consumerId, first.consumer.session))?.consumer.held).toBe(false);
    expect(await fetchMore(pipeline, consumerId, second.consumer.session)).toBeUndefined();
  });

  it('fetches due deliveries with their bodies, the longest due first, without those in flight', async () => {
    const consumerId = await insertConsumer(pipeline.db);
    const events = [statusFor(consumerId), statusFor(consumerId), statusFor(consumerId)];
    await acceptStatuses(pipeline, ...events);
    const { consumer, deliveries } = await openSession(pipeline, consumerId, 2);
    const free = deliveries.filter(({ blockedBy }) => blockedBy === null);
    expect(free.slice(0, 2).map(({ id, body }) => [id, body])).toEqual(
      events.slice(0, 2).map((event) => [deliveryOf(event), event.body]),
    );
    const more = await fetchMore(pipeline, consumerId, consumer.session, events.slice(0, 2).map(deliveryOf));
    expect(more?.deliveries.map(({ id }) => id)).toEqual(events.slice(2).map(deliveryOf));
  });

  it('fetches only deliveries that are due from the given moment on', async () => {
    const consumerId = await insertConsumer(pipeline.db);
    const [early, late] = [statusFor(consumerId), statusFor(consumerId)];
    await acceptStatuses(pipeline, early, late);
    await sql`
      update pending_deliveries set next_attempt_at = now() - interval '1 hour' where id = ${deliveryOf(early)}`.execute(
      pipeline.db,
    );
    const { consumer } = await openSession(pipeline, consumerId, 0);
    const found = async (dueFrom: Date | null): Promise<string[]> => {
      const request = { consumerId, session: consumer.session, wanted: 10, dueFrom, inFlight: [] };
      return (await fetchDeliveries(pipeline, [request])).flatMap(({ deliveries }) =>
        deliveries.map(({ id }) => id),
      );
    };
    expect(await found(null)).toEqual([early, late].map(deliveryOf));
    expect(await found(new Date(Date.now() - 1_800_000))).toEqual([deliveryOf(late)]);
  });

  it('fetches a later status of a payment with the id of the one that blocks it, unless ordering is off', async () => {
    for (const ordering of ['payment', 'none'] as const) {
      const consumerId = await insertConsumer(pipeline.db, { ordering });
      const paymentId = newId();
      const first = statusFor(consumerId, { paymentId });
      await acceptStatuses(pipeline, first);
      await acceptStatuses(pipeline, statusFor(consumerId, { paymentId }));
      // The second status looks as if it was accepted while the first one was about to end.
      await sql`update pending_deliveries set next_attempt_at = now() where consumer_id = ${consumerId}`.execute(
        pipeline.db,
      );
      const { deliveries } = await openSession(pipeline, consumerId);
      expect(deliveries.map(({ blockedBy }) => blockedBy)).toEqual([
        null,
        ordering === 'payment' ? deliveryOf(first) : null,
      ]);
    }
  });
});

describe('recordAttempts', () => {
  it('ends an acknowledged delivery, keeps its attempt, and makes the next status of the payment due', async () => {
    const consumerId = await insertConsumer(pipeline.db);
    const paymentId = newId();
    const [first, second] = [statusFor(consumerId, { paymentId }), statusFor(consumerId, { paymentId })];
    await acceptStatuses(pipeline, first);
    await acceptStatuses(pipeline, second);
    const { consumer } = await openSession(pipeline, consumerId);
    await sql`update pending_deliveries set next_attempt_at = now() + interval '1 hour' where id = ${deliveryOf(first)}`.execute(
      pipeline.db,
    );
    await parkDeliveries(pipeline, [{ id: deliveryOf(second), blockedBy: deliveryOf(first) }]);
    expect(await fetchMore(pipeline, consumerId, consumer.session)).toBeUndefined();
    const { held, released } = await recordAttempts(pipeline, [
      resultFor(consumerId, consumer.session, deliveryOf(first)),
    ]);
    expect([held, released]).toEqual([new Set([consumerId]), new Set([consumerId])]);
    expect((await fetchMore(pipeline, consumerId, consumer.session))?.deliveries.map(({ id }) => id)).toEqual(
      [deliveryOf(second)],
    );
    const history = await pipeline.db
      .selectFrom('deliveries')
      .selectAll()
      .where('id', '=', deliveryOf(first))
      .execute();
    expect(history).toMatchObject([
      { state: 'delivered', attempts: 1, last_http_status: 200, end_reason: 'acknowledged' },
    ]);
    const attempts = await pipeline.db
      .selectFrom('attempts')
      .select(['number', 'failed_consumer_id'])
      .where('delivery_id', '=', deliveryOf(first))
      .execute();
    expect(attempts).toEqual([{ number: 1, failed_consumer_id: null }]);
  });

  it('the end of several statuses of a payment makes the first one due that is left between them', async () => {
    const consumerId = await insertConsumer(pipeline.db);
    const paymentId = newId();
    const events = [1, 2, 3, 4].map(() => statusFor(consumerId, { paymentId }));
    for (const event of events) await acceptStatuses(pipeline, event);
    const [first = '', second, third = ''] = events.map(deliveryOf);
    await cancelDeliveries(pipeline.db, [first, third]);
    const { deliveries } = await openSession(pipeline, consumerId);
    expect(deliveries.map(({ id }) => id)).toEqual([second]);
  });

  it('makes a failed delivery due later, and counts the attempt in its schedule unless it was a probe', async () => {
    const consumerId = await insertConsumer(pipeline.db);
    const event = statusFor(consumerId);
    await acceptStatuses(pipeline, event);
    const { consumer } = await openSession(pipeline, consumerId);
    for (const [index, spendsAttempt] of [true, false].entries()) {
      await recordAttempts(pipeline, [
        resultFor(consumerId, consumer.session, deliveryOf(event), {
          number: index + 1,
          scheduleStep: index,
          outcome: 'http_status',
          httpStatus: 500,
          next: { retryInMs: 60_000, spendsAttempt },
        }),
      ]);
    }
    const [row] = await pendingOf(pipeline.db, consumerId);
    expect(row).toMatchObject({ attempts: 2, schedule_step: 1 });
    expect(row?.next_attempt_at.getTime()).toBeGreaterThan(Date.now() + 50_000);
  });

  it('records no attempt of a session that a newer session of its consumer has replaced', async () => {
    const [lost, held] = [await insertConsumer(pipeline.db), await insertConsumer(pipeline.db)];
    const [one, other] = [statusFor(lost), statusFor(held)];
    await acceptStatuses(pipeline, one, other);
    const former = await openSession(pipeline, lost);
    const current = await openSession(pipeline, held);
    await openSession(pipeline, lost);
    const { held: answer, fenced } = await recordAttempts(pipeline, [
      resultFor(lost, former.consumer.session, deliveryOf(one)),
      resultFor(held, current.consumer.session, deliveryOf(other)),
    ]);
    expect(answer).toEqual(new Set([held]));
    expect(fenced).toEqual(new Set([deliveryOf(one)]));
    expect(await pendingOf(pipeline.db, lost)).toHaveLength(1);
    expect(await pendingOf(pipeline.db, held)).toHaveLength(0);
  });

  it('changes nothing when an attempt is recorded again because the first answer was lost', async () => {
    const consumerId = await insertConsumer(pipeline.db);
    const [failed, delivered] = [statusFor(consumerId), statusFor(consumerId)];
    await acceptStatuses(pipeline, failed, delivered);
    const { consumer } = await openSession(pipeline, consumerId);
    const results = [
      resultFor(consumerId, consumer.session, deliveryOf(failed), {
        outcome: 'timeout',
        httpStatus: null,
        next: { retryInMs: 60_000, spendsAttempt: true },
      }),
      resultFor(consumerId, consumer.session, deliveryOf(delivered)),
    ];
    for (const _ of [1, 2])
      expect(await recordAttempts(pipeline, results)).toEqual({
        held: new Set([consumerId]),
        fenced: new Set(),
        released: new Set(),
      });
    expect(await pendingOf(pipeline.db, consumerId)).toMatchObject([
      { id: deliveryOf(failed), attempts: 1, schedule_step: 1 },
    ]);
    const { rows } =
      await sql`select delivery_id from attempts where delivery_id in (${deliveryOf(failed)}, ${deliveryOf(delivered)})`.execute(
        pipeline.db,
      );
    expect(rows).toHaveLength(2);
  });

  it('records an acknowledged attempt that was in flight when its delivery was cancelled, and ends it as delivered', async () => {
    const consumerId = await insertConsumer(pipeline.db);
    const event = statusFor(consumerId);
    await acceptStatuses(pipeline, event);
    const { consumer } = await openSession(pipeline, consumerId);
    await cancelDeliveries(pipeline.db, [deliveryOf(event)]);
    await recordAttempts(pipeline, [resultFor(consumerId, consumer.session, deliveryOf(event))]);
    const history = await pipeline.db
      .selectFrom('deliveries')
      .selectAll()
      .where('id', '=', deliveryOf(event))
      .execute();
    expect(history).toMatchObject([
      { state: 'delivered', end_reason: 'acknowledged', attempts: 1, last_outcome: 'acknowledged' },
    ]);
  });
});
