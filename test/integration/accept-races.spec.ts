import { describe, expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import { acceptEvents, type AcceptOutcome, type NewEvent } from '#libs/database';
import { everySchedule } from '#test/support/every-schedule';
import { routingVersion, deliveryOf, statusFor } from '#test/support/new-status';
import { SteppedConnection, steppedConnections, type SteppedWork } from '#test/support/stepped-work';
import { TestSession } from '#test/support/test-session';
import { fileDatabase } from '#test/support/file-database';
import { insertConsumer } from '#test/support/consumer-row';

const { url, pipeline } = await fileDatabase();

const version = await routingVersion(pipeline.db);
const stepped = steppedConnections(url, pipeline.db);

/** **accept** as an api process does it, of these events. */
const accepting = (connection: SteppedConnection, ...events: NewEvent[]): SteppedWork<AcceptOutcome> =>
  connection.begin((_db, over) => acceptEvents(over, events, version));

const pendingOf = (consumerId: string) =>
  pipeline.db
    .selectFrom('pending_deliveries')
    .select(['id', 'number'])
    .where('consumer_id', '=', consumerId)
    .orderBy('number')
    .execute();

describe('two concurrent accepts', () => {
  it('every order of two accepts of one payment numbers its statuses without a gap, and they are sent in that order', async () => {
    await everySchedule(async (schedule) => {
      const consumerId = await insertConsumer(pipeline.db);
      const paymentId = newId();
      const event = (): NewEvent => statusFor(consumerId, { paymentId });
      await schedule.both(accepting(stepped.one, event()), accepting(stepped.two, event()));

      const [first, second, ...others] = await pendingOf(consumerId);
      expect({ numbers: [first?.number, second?.number], others }).toEqual({
        numbers: [1, 2],
        others: [],
      });
      const session = await TestSession.open(pipeline, consumerId);
      expect((await session.fetch()).map(({ id }) => id)).toEqual([first?.id]);
      await session.record(first?.id ?? '', { state: 'delivered' });
      expect((await session.fetch()).map(({ id }) => id)).toEqual([second?.id]);
    });
  });

  it('no order of two accepts of the same two payments in opposite orders ends in a deadlock', async () => {
    await everySchedule(async (schedule) => {
      const consumerId = await insertConsumer(pipeline.db);
      const [a, b] = [newId(), newId()];
      const event = (paymentId: string): NewEvent => statusFor(consumerId, { paymentId });
      const outcomes = await schedule.both(
        accepting(stepped.one, event(a), event(b)),
        accepting(stepped.two, event(b), event(a)),
      );
      expect(outcomes).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }]);
      expect((await pendingOf(consumerId)).map(({ number }) => number)).toEqual([1, 1, 2, 2]);
    });
  });

  it('every order of two accepts with one idempotency key writes one event and reports the key as taken to the other', async () => {
    await everySchedule(async (schedule) => {
      const consumerId = await insertConsumer(pipeline.db);
      const [paymentId, keyHash] = [newId(), Buffer.from(newId())];
      const events = [1, 2].map(() => statusFor(consumerId, { paymentId, keyHash }));
      const [event = statusFor(consumerId), repeated = event] = events;
      const outcomes = await schedule.both(accepting(stepped.one, event), accepting(stepped.two, repeated));

      const winner = outcomes.findIndex(({ kind }) => kind === 'accepted');
      expect(outcomes[1 - winner]).toEqual({ kind: 'key_taken' });
      expect(await pendingOf(consumerId)).toEqual([{ id: deliveryOf(events[winner] ?? event), number: 1 }]);
    });
  });
});
