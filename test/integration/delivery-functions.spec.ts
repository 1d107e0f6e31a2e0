import { describe, expect, it } from 'vitest';
import { acceptEvents, parkDeliveries, recordAttempts } from '#libs/database';
import { sql } from 'kysely';
import { StatementConsumer } from '#test/support/delivery-statements';
import { fileDatabase } from '#test/support/file-database';
import { cancelDeliveries } from '#test/support/finish-delivery';
import { routingVersion, statusFor } from '#test/support/new-status';

const { db, pipeline } = await fileDatabase();

const add = (statuses = 0) => StatementConsumer.add(pipeline, statuses);

const TIMED_OUT = {
  outcome: 'timeout',
  httpStatus: null,
  next: { retryInMs: 60_000, spendsAttempt: true },
} as const;

const history = (id: string) => db.selectFrom('deliveries').selectAll().where('id', '=', id).execute();
const setDue = (id: string | undefined, after: string): Promise<unknown> =>
  sql`update pending_deliveries set next_attempt_at = now() + ${after}::interval where id = ${id}`.execute(
    db,
  );

describe('fetchDeliveries', () => {
  it('opens each session with a higher number, and reports to the former session that it is fenced', async () => {
    const consumer = await add();
    const { session } = (await consumer.open()).consumer;
    expect((await consumer.open()).consumer.session).toBe(session + 1);
    expect((await consumer.fetch({ session }))?.consumer.held).toBe(false);
    expect(await consumer.fetch()).toBeUndefined();
  });

  it('fetches due deliveries with their bodies, the longest due first, without those in flight', async () => {
    const consumer = await add();
    const ids = [await consumer.accept('a'), await consumer.accept('b'), await consumer.accept('c')];
    const { deliveries } = await consumer.open(2);
    expect(deliveries.slice(0, 2).map(({ id, body }) => [id, body])).toEqual(
      ids.slice(0, 2).map((id) => [id, expect.stringContaining('notificationId')]),
    );
    expect(await consumer.due({ inFlight: ids.slice(0, 2) })).toEqual(ids.slice(2));
  });

  it('fetches only deliveries that are due from the given moment on', async () => {
    const consumer = await add();
    const [early, late] = [await consumer.accept('a'), await consumer.accept('b')];
    await setDue(early, '-1 hour');
    await consumer.open(0);
    expect(await consumer.due({ dueFrom: null })).toEqual([early, late]);
    expect(await consumer.due({ dueFrom: new Date(Date.now() - 1_800_000) })).toEqual([late]);
  });

  it('fetches a later status of a payment with the id of the one that blocks it, unless ordering is off', async () => {
    for (const ordering of ['payment', 'none'] as const) {
      const consumer = await StatementConsumer.add(pipeline, 2, ordering);
      const [first = '', second] = consumer.ids;
      // The second status looks as if it was accepted while the first one was about to end.
      await setDue(second, '0');
      const { deliveries } = await consumer.open();
      const blocker = ordering === 'payment' ? first : null;
      expect(deliveries.map(({ blockedBy }) => blockedBy)).toEqual([null, blocker]);
    }
  });
});

describe('recordAttempts', () => {
  it('ends an acknowledged delivery, keeps its attempt, and makes the next status of the payment due', async () => {
    const consumer = await add(2);
    const [first = '', second = ''] = consumer.ids;
    await consumer.open();
    await setDue(first, '1 hour');
    await parkDeliveries(pipeline, [{ id: second, blockedBy: first }]);
    expect(await consumer.fetch()).toBeUndefined();
    const { held, released } = await recordAttempts(pipeline, [consumer.result(first)]);
    expect([held, released]).toEqual([new Set([consumer.id]), new Set([consumer.id])]);
    expect(await consumer.due()).toEqual([second]);
    expect(await history(first)).toMatchObject([
      { state: 'delivered', attempts: 1, last_http_status: 200, end_reason: 'acknowledged' },
    ]);
    const { rows } = await sql`
      select number, failed_consumer_id from attempts where delivery_id = ${first}`.execute(db);
    expect(rows).toEqual([{ number: 1, failed_consumer_id: null }]);
  });

  it('the end of several statuses of a payment makes the first one due that is left between them', async () => {
    const consumer = await add(4);
    const [first = '', second, third = ''] = consumer.ids;
    await cancelDeliveries(db, [first, third]);
    await consumer.open(0);
    expect(await consumer.due()).toEqual([second]);
  });

  it('makes a failed delivery due later, and counts the attempt in its schedule unless it was a probe', async () => {
    const consumer = await add(1);
    const [id = ''] = consumer.ids;
    await consumer.open();
    for (const [scheduleStep, spendsAttempt] of [true, false].entries()) {
      const next = { retryInMs: 60_000, spendsAttempt };
      const failed = { number: scheduleStep + 1, scheduleStep, httpStatus: 500, next };
      await recordAttempts(pipeline, [consumer.result(id, { outcome: 'http_status', ...failed })]);
    }
    const [row] = await consumer.pending();
    expect(row).toMatchObject({ attempts: 2, schedule_step: 1 });
    expect(row?.next_attempt_at.getTime()).toBeGreaterThan(Date.now() + 50_000);
  });

  it('records no attempt of a session that a newer session of its consumer has replaced', async () => {
    const [lost, held] = [await add(1), await add(1)];
    await Promise.all([lost.open(), held.open()]);
    const results = [lost, held].map((consumer) => consumer.result(consumer.id0));
    await lost.open();
    expect(await recordAttempts(pipeline, results)).toMatchObject({
      held: new Set([held.id]),
      fenced: new Set(lost.ids),
    });
    expect([await lost.pending(), await held.pending()]).toMatchObject([[{ attempts: 0 }], []]);
  });

  it('changes nothing when an attempt is recorded again because the first answer was lost', async () => {
    const consumer = await add();
    const [failed, delivered] = [await consumer.accept('a'), await consumer.accept('b')];
    await consumer.open();
    const results = [consumer.result(failed, TIMED_OUT), consumer.result(delivered)];
    const answer = { held: new Set([consumer.id]), fenced: new Set(), released: new Set() };
    for (const _ of [1, 2]) expect(await recordAttempts(pipeline, results)).toEqual(answer);
    expect(await consumer.pending()).toMatchObject([{ id: failed, attempts: 1, schedule_step: 1 }]);
    const { rows } = await sql`
      select from attempts where delivery_id in (${failed}, ${delivered})`.execute(db);
    expect(rows).toHaveLength(2);
  });

  it('records an acknowledged attempt that was in flight when its delivery was cancelled, and ends it as delivered', async () => {
    const consumer = await add(1);
    await consumer.open();
    await cancelDeliveries(db, consumer.ids);
    await recordAttempts(pipeline, [consumer.result(consumer.id0)]);
    expect(await history(consumer.id0)).toMatchObject([
      { state: 'delivered', end_reason: 'acknowledged', attempts: 1, last_outcome: 'acknowledged' },
    ]);
  });
});

describe('leaveSessions', () => {
  const acceptMore = async ({ id }: StatementConsumer) =>
    acceptEvents(pipeline, [statusFor(id)], await routingVersion(db));
  const OWN_END = { wanted: 0, answers: true } as const;

  it('says when something is due next, and accept adds a job for the next event', async () => {
    const consumer = await add();
    await consumer.open();
    const id = await consumer.accept();
    await consumer.leave();
    expect((await consumer.fetch(OWN_END))?.consumer.end?.wakeInMs).toBeLessThanOrEqual(0);
    await recordAttempts(pipeline, [consumer.result(id, TIMED_OUT)]);
    expect((await consumer.fetch(OWN_END))?.consumer.end?.wakeInMs).toBeGreaterThan(50_000);
    expect(await acceptMore(consumer)).toEqual({ kind: 'accepted', enqueue: [consumer.id] });
  });

  it('a fetch opens a session again that was left, under its number', async () => {
    const consumer = await add();
    await consumer.open();
    await consumer.leave();
    const reopened = await consumer.fetch({ ...OWN_END, wanted: 1, reopens: true });
    expect(reopened?.consumer).toMatchObject({ session: consumer.session, held: true });
    expect(await acceptMore(consumer)).toEqual({ kind: 'accepted', enqueue: [] });
  });

  it('requests in flight are held for the former session, which records them although another session is open', async () => {
    const consumer = await add(2);
    const [first = '', second] = consumer.ids;
    const other = await consumer.accept('other');
    await consumer.open();
    const result = consumer.result(first);
    await consumer.leave({});
    const next = await consumer.open();
    expect([next.deliveries.map(({ id }) => id), next.consumer.heldElsewhere]).toEqual([[other], 1]);
    const released = new Set([consumer.id]);
    expect(await recordAttempts(pipeline, [result])).toEqual({
      held: new Set(),
      fenced: new Set(),
      released,
    });
    expect(await consumer.due({ inFlight: [other] })).toEqual([second]);
  });

  it('the next status of a payment waits for a request in flight that an operator cancelled', async () => {
    const consumer = await add(2);
    await consumer.open();
    const result = consumer.result(consumer.id0, TIMED_OUT);
    await cancelDeliveries(db, [consumer.id0]);
    await consumer.leave({});
    expect((await consumer.open()).deliveries).toEqual([]);
    await recordAttempts(pipeline, [result]);
    expect(await consumer.due()).toEqual(consumer.ids.slice(1));
  });

  it.each<[string, (consumer: StatementConsumer) => Promise<unknown>, { due: number[]; held: number }]>([
    // A place of the former session, until its turn comes, would take one of `maxConcurrency`.
    [
      'holds no request whose worker died, when its answer can come no more',
      (one) => one.leave({ holdMs: 0 }),
      { due: [0], held: 0 },
    ],
    [
      'does not make a status due that it is sending, when the earlier one ends',
      async (one) => {
        await one.leave({ deliveryId: one.ids[1] ?? '' });
        await cancelDeliveries(db, [one.id0]);
      },
      { due: [], held: 1 },
    ],
    [
      'does not hold the next status of a payment whose earlier one was acknowledged and recorded before',
      async (one) => {
        await recordAttempts(pipeline, [one.result(one.id0)]);
        await one.leave({});
      },
      { due: [1], held: 0 },
    ],
    [
      'does not hold a delivery whose failure was recorded before',
      async (one) => {
        await recordAttempts(pipeline, [one.result(one.id0, TIMED_OUT)]);
        await one.leave({});
      },
      { due: [], held: 0 },
    ],
  ])('a session that is left %s', async (_what, act, { due, held }) => {
    const consumer = await add(2);
    await consumer.open();
    await act(consumer);
    const { deliveries, consumer: opened } = await consumer.open();
    const free = deliveries.filter(({ blockedBy }) => blockedBy === null).map(({ id }) => id);
    expect([free, opened.heldElsewhere]).toEqual([due.map((status) => consumer.ids[status]), held]);
  });
});
