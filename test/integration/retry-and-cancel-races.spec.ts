import { describe, expect, it } from 'vitest';
import {
  cancelDelivery,
  parkDeliveries,
  recordAttempts,
  retryDelivery,
  stepBulkAction,
  type AttemptResult,
  type Database,
  type Statements,
} from '#libs/database';
import { newId } from '#libs/contracts';
import { sql } from 'kysely';
import { countsOf, notificationOf } from '#test/support/delivery-counts';
import { BulkRuns } from '#test/support/bulk-runs';
import { everySchedule } from '#test/support/every-schedule';
import { acceptStatuses, newStatus } from '#test/support/new-status';
import { Recipient, stateOf } from '#test/support/recipient';
import { startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { attempt, TestSession } from '#test/support/test-session';
import { AUDIT } from '#test/support/actor';
import { steppedConnections } from '#test/support/stepped-work';
const dispatcher = await startDispatcherInProcess();

const stepped = steppedConnections(dispatcher.databaseUrl, dispatcher.db);
const recipient = await Recipient.add(dispatcher);
const retry = (db: Database, id: string) => retryDelivery(db, id, { force: false }, AUDIT);
const cancel = (db: Database, id: string) => cancelDelivery(db, id, AUDIT);
const state = (id: string): Promise<string> => stateOf(dispatcher, id);
/** What its worker records of a delivery that it is sending. */
async function sending(id: string, next: AttemptResult['next']): Promise<AttemptResult> {
  const session = await TestSession.open(dispatcher.pipeline, recipient.id);
  const fetched = await session.fetch(1_000);
  if (!fetched.some((delivery) => delivery.id === id))
    throw new Error('the delivery is not due, or is blocked');
  return session.result(id, next);
}

const record = async (pipeline: Statements, result: AttemptResult): Promise<boolean> =>
  !(await recordAttempts(pipeline, [result])).fenced.has(result.deliveryId);

let payments = 0;
const newPayment = (): string => `payment-${String((payments += 1))}`;

describe('operator commands concurrent with records', () => {
  it.each<{ next: AttemptResult['next']; ends: string[] }>([
    { next: { state: 'dead' }, ends: ['dead', 'queued'] },
    { next: { state: 'delivered' }, ends: ['delivered'] },
    { next: { retryInMs: 3_600_000, spendsAttempt: true }, ends: ['queued'] },
  ])(
    'every order of a retry and the record of an attempt ($next) leaves one row and keeps the attempt',
    async ({ next, ends }) => {
      await everySchedule(async (schedule) => {
        const id = await recipient.accept(newPayment());
        const result = await sending(id, next);
        const [retried, recorded] = await schedule.both(
          stepped.one.begin((db) => retry(db, id)),
          stepped.two.begin((_db, pipeline) => record(pipeline, result)),
        );
        const { rows, counted, kept } = await countsOf(dispatcher.db, id);
        expect({ recorded, rows, counted, kept }).toEqual({
          recorded: true,
          rows: 1,
          counted: 1,
          kept: 1,
        });
        expect(['done', 'delivered']).toContain(retried.kind);
        expect(ends).toContain(await state(id));
      }, 1);
    },
  );

  it.each<{ next: AttemptResult['next']; ends: string }>([
    { next: { state: 'dead' }, ends: 'cancelled' },
    { next: { state: 'delivered' }, ends: 'delivered' },
    { next: { retryInMs: 3_600_000, spendsAttempt: true }, ends: 'cancelled' },
  ])(
    'every order of a cancellation and the record of an attempt ($next) keeps the attempt and releases the next status',
    async ({ next, ends }) => {
      await everySchedule(async (schedule) => {
        const payment = newPayment();
        const [id, after] = [await recipient.accept(payment), await recipient.accept(payment)];
        const result = await sending(id, next);
        await parkDeliveries(dispatcher.pipeline, [{ id: after, blockedBy: id }]);
        const [cancelled] = await schedule.both(
          stepped.one.begin((db) => cancel(db, id)),
          stepped.two.begin((_db, pipeline) => record(pipeline, result)),
        );
        const { rows, counted, kept } = await countsOf(dispatcher.db, id);
        expect({ rows, counted, kept, isDue: (await countsOf(dispatcher.db, after)).isDue }).toEqual({
          rows: 1,
          counted: 1,
          kept: 1,
          isDue: true,
        });
        // A delivered delivery is not cancelled; one that is cancelled before its acknowledgement becomes delivered.
        expect(['done', ...(ends === 'delivered' ? ['delivered'] : [])]).toContain(cancelled.kind);
        expect(await state(id)).toBe(ends);
        await cancel(dispatcher.db, after);
      }, 1);
    },
  );

  it('every order of two retries of a dead delivery makes it pending once', async () => {
    await everySchedule(async (schedule) => {
      const id = await recipient.accept(newPayment());
      await attempt(dispatcher.pipeline, id);
      const [first, second] = await schedule.both(
        stepped.one.begin((db) => retry(db, id)),
        stepped.two.begin((db) => retry(db, id)),
      );
      expect({
        kinds: [first.kind, second.kind],
        ...(await countsOf(dispatcher.db, id)),
      }).toMatchObject({
        kinds: ['done', 'done'],
        rows: 1,
        isDue: true,
      });
      await cancel(dispatcher.db, id);
    }, 1);
  });

  it('every order of a cancellation and a retry of a dead delivery leaves the result of the later one', async () => {
    await everySchedule(async (schedule) => {
      const id = await recipient.accept(newPayment());
      await attempt(dispatcher.pipeline, id);
      const [cancelled, retried] = await schedule.both(
        stepped.one.begin((db) => cancel(db, id)),
        stepped.two.begin((db) => retry(db, id)),
      );
      expect({
        kinds: [cancelled.kind, retried.kind],
        rows: (await countsOf(dispatcher.db, id)).rows,
      }).toEqual({
        kinds: ['done', 'done'],
        rows: 1,
      });
      expect(['cancelled', 'queued']).toContain(await state(id));
      await cancel(dispatcher.db, id);
    }, 1);
  });

  it('every order of cancelling the second status and recording the first releases the third', async () => {
    await everySchedule(async (schedule) => {
      const payment = newPayment();
      const first = await recipient.accept(payment);
      const second = await recipient.accept(payment);
      const third = await recipient.accept(payment);
      const result = await sending(first, { state: 'delivered' });
      await parkDeliveries(dispatcher.pipeline, [
        { id: second, blockedBy: first },
        { id: third, blockedBy: first },
      ]);
      const [cancelled, recorded] = await schedule.both(
        stepped.one.begin((db) => cancel(db, second)),
        stepped.two.begin((_db, pipeline) => record(pipeline, result)),
      );
      expect({
        cancelled: cancelled.kind,
        recorded,
        isDue: (await countsOf(dispatcher.db, third)).isDue,
      }).toEqual({
        cancelled: 'done',
        recorded: true,
        isDue: true,
      });
      await cancel(dispatcher.db, third);
    }, 1);
  });

  it('a status accepted during the cancellation of the second is released when the first is recorded meanwhile', async () => {
    await everySchedule(async (schedule) => {
      const [paymentId, first, second, third] = [newId(), newId(), newId(), newId()];
      const statusOf = (id: string) =>
        newStatus({ paymentId, deliveries: [{ id, consumerId: recipient.id }] });
      await acceptStatuses(dispatcher.pipeline, statusOf(first), statusOf(second));
      const result = await sending(first, { state: 'delivered' });
      const [cancelled] = await schedule.both(
        stepped.one.begin((db) => cancel(db, second)),
        stepped.two.begin(async (_db, pipeline) => {
          await acceptStatuses(pipeline, statusOf(third));
          await parkDeliveries(pipeline, [{ id: third, blockedBy: first }]);
          await record(pipeline, result);
        }),
      );
      expect({ kind: cancelled.kind, isDue: (await countsOf(dispatcher.db, third)).isDue }).toEqual({
        kind: 'done',
        isDue: true,
      });
      await cancel(dispatcher.db, third);
    }, 1);
  });

  it('every order of a cancellation and the parking of the next status releases the next status', async () => {
    await everySchedule(async (schedule) => {
      const payment = newPayment();
      const [first, second] = [await recipient.accept(payment), await recipient.accept(payment)];
      await sql`update pending_deliveries set next_attempt_at = now() + interval '1 hour' where id = ${first}`.execute(
        dispatcher.db,
      );
      await schedule.both(
        stepped.one.begin((db) => cancel(db, first)),
        stepped.two.begin((_db, pipeline) => parkDeliveries(pipeline, [{ id: second, blockedBy: first }])),
      );
      expect((await countsOf(dispatcher.db, second)).isDue).toBe(true);
      await cancel(dispatcher.db, second);
    }, 1);
  });

  it('every order of a cancellation and the acceptance of the next status leaves the next status due', async () => {
    await everySchedule(async (schedule) => {
      const paymentId = newId();
      const [first, second] = [newId(), newId()];
      const statusOf = (id: string) =>
        newStatus({ paymentId, deliveries: [{ id, consumerId: recipient.id }] });
      await acceptStatuses(dispatcher.pipeline, statusOf(first));
      const next = statusOf(second);
      const [cancelled] = await schedule.both(
        stepped.one.begin((db) => cancel(db, first)),
        stepped.two.begin((db) => acceptStatuses(db, next)),
      );
      expect({
        kind: cancelled.kind,
        state: await state(second),
        ...(await countsOf(dispatcher.db, second)),
      }).toMatchObject({
        kind: 'done',
        state: 'queued',
        isDue: true,
      });
      await cancel(dispatcher.db, second);
    }, 1);
  });

  it.each<{ action: 'replay' | 'cancel'; ends: readonly string[] }>([
    { action: 'replay', ends: ['delivered', 'queued'] },
    { action: 'cancel', ends: ['delivered'] },
  ])(
    'every order of a step of a bulk $action and the record of one of its deliveries leaves one row and keeps the attempt',
    async ({ action, ends }) => {
      const bulk = new BulkRuns(dispatcher);
      await everySchedule(async (schedule) => {
        const id = await recipient.accept(newPayment());
        const result = await sending(id, { state: 'delivered' });
        const { notificationId } = await notificationOf(dispatcher.db, id);
        await bulk.start(action, { notificationId });
        const [, recorded] = await schedule.both(
          stepped.one.begin((db) => stepBulkAction(db, 10)),
          stepped.two.begin((_db, pipeline) => record(pipeline, result)),
        );
        const { rows, counted, kept } = await countsOf(dispatcher.db, id);
        expect({ recorded, rows, counted, kept }).toEqual({
          recorded: true,
          rows: 1,
          counted: 1,
          kept: 1,
        });
        expect(ends).toContain(await state(id));
        await cancel(dispatcher.db, id);
      }, 1);
    },
  );
});
