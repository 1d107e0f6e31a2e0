import { describe, expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import { acceptEvents, cancelDelivery, expirePending, parkDeliveries, recordAttempts } from '#libs/database';
import { sql } from 'kysely';
import { everySchedule } from '#test/support/every-schedule';
import { acceptStatuses, routingVersion, deliveryOf, statusFor } from '#test/support/new-status';
import { DEAD, DELIVERED, LATER, TestSession } from '#test/support/test-session';
import { fileDatabase } from '#test/support/file-database';
import { AUDIT } from '#test/support/actor';
import { insertConsumer } from '#test/support/consumer-row';
import { steppedConnections } from '#test/support/stepped-work';
const DAY_MS = 86_400_000;

const { url, pipeline } = await fileDatabase();

const version = await routingVersion(pipeline.db);
const stepped = steppedConnections(url, pipeline.db);

/** A payment of a consumer of its own: its first status is being sent, the others wait behind it. */
async function payment(statuses: number) {
  const consumerId = await insertConsumer(pipeline.db);
  const paymentId = newId();
  const events = Array.from({ length: statuses }, (_, index) =>
    statusFor(consumerId, { paymentId, followers: statuses - 1 - index }),
  );
  await acceptStatuses(pipeline, ...events);
  const session = await TestSession.open(pipeline, consumerId);
  const [first = '', second = '', third = ''] = events.map(deliveryOf);
  expect((await session.fetch()).map(({ id }) => id)).toEqual([first]);
  return { consumerId, paymentId, session, first, second, third };
}

/** Delivers what is due, and what that makes due. @returns all of it, in the order in which it went */
async function goes(session: TestSession): Promise<string[]> {
  const went: string[] = [];
  for (let due = await session.fetch(); due.length > 0; due = await session.fetch()) {
    for (const { id } of due) {
      await session.record(id, DELIVERED);
      went.push(id);
    }
  }
  return went;
}

const makeDue = (id: string): Promise<unknown> =>
  sql`update pending_deliveries set next_attempt_at = now() where id = ${id}`.execute(pipeline.db);

async function historyOf(id: string): Promise<unknown[]> {
  const { rows } = await sql`
    select d.state, d.attempts, (select count(*)::int from attempts a where a.delivery_id = d.id) as recorded
    from deliveries d where d.id = ${id}`.execute(pipeline.db);
  return rows;
}

describe('concurrent changes of one payment', () => {
  it.each([
    { what: 'is delivered', next: DELIVERED },
    { what: 'is dead', next: DEAD },
    { what: 'is to be tried again later', next: LATER },
  ])(
    'every order of a park, a record and an accept delivers the next statuses in order when the first $what',
    async ({ next }) => {
      await everySchedule(async (schedule) => {
        const { consumerId, paymentId, session, first, second } = await payment(2);
        const event = statusFor(consumerId, { paymentId });
        const works = {
          park: stepped.one.begin((_db, over) => parkDeliveries(over, [{ id: second, blockedBy: first }])),
          record: stepped.two.begin((_db, over) => recordAttempts(over, [session.result(first, next)])),
          accept: stepped.three.begin((_db, over) => acceptEvents(over, [event], version)),
        };
        await schedule.run(works);
        expect(await works.accept.result).toMatchObject({ kind: 'accepted' });
        expect((await works.record.result).held.size).toBe(1);
        await works.park.result;

        const after = [second, deliveryOf(event)];
        expect(await goes(session)).toEqual(next === LATER ? [] : after);
        if (next !== LATER) return;
        await makeDue(first);
        expect(await goes(session)).toEqual([first, ...after]);
      });
    },
  );

  it('every order of recording the first status, cancelling the second and parking the third releases the third', async () => {
    await everySchedule(async (schedule) => {
      const { session, first, second, third } = await payment(3);
      const works = {
        record: stepped.one.begin((_db, over) => recordAttempts(over, [session.result(first, DELIVERED)])),
        cancel: stepped.two.begin((db) => cancelDelivery(db, second, AUDIT)),
        park: stepped.three.begin((_db, over) => parkDeliveries(over, [{ id: third, blockedBy: first }])),
      };
      await schedule.run(works);
      expect(await works.cancel.result).toMatchObject({ kind: 'done' });
      await Promise.all([works.record.result, works.park.result]);
      expect(await goes(session)).toEqual([third]);
    });
  });

  it('every order of recording, cancelling and a park behind the first status ends it once and releases the second', async () => {
    const ends = new Set<string>();
    await everySchedule(async (schedule) => {
      const { session, first, second } = await payment(2);
      const works = {
        record: stepped.one.begin((_db, over) => recordAttempts(over, [session.result(first, DELIVERED)])),
        cancel: stepped.two.begin((db) => cancelDelivery(db, first, AUDIT)),
        park: stepped.three.begin((_db, over) => parkDeliveries(over, [{ id: second, blockedBy: first }])),
      };
      await schedule.run(works);
      const { kind } = await works.cancel.result;
      await Promise.all([works.record.result, works.park.result]);
      expect({ first: await historyOf(first), went: await goes(session) }).toEqual({
        first: [{ state: 'delivered', attempts: 1, recorded: 1 }],
        went: [second],
      });
      ends.add(kind);
    });
    expect(ends).toEqual(new Set(['delivered', 'done']));
  });

  it('every order of any end of the first status and a park of the second releases the second', async () => {
    await everySchedule(async (schedule) => {
      const { session, first, second } = await payment(2);
      const works = {
        end: stepped.one.begin((db) =>
          sql`select finish_deliveries(array[${first}::uuid], '{cancelled}', '{consumer_removed}', '{null}', '{null}', '{null}')`.execute(
            db,
          ),
        ),
        park: stepped.two.begin((_db, over) => parkDeliveries(over, [{ id: second, blockedBy: first }])),
      };
      await schedule.run(works);
      await Promise.all([works.end.result, works.park.result]);
      expect(await goes(session)).toEqual([second]);
    });
  });

  it('every order of the expiry of the first status and a park of the second releases the second', async () => {
    await everySchedule(async (schedule) => {
      const { session, first, second } = await payment(2);
      const [now, later] = [new Date(Date.now() + 15 * DAY_MS), new Date(Date.now() + 10 * DAY_MS)];
      await sql`update pending_deliveries set pending_since = ${later} where id = ${second}`.execute(
        pipeline.db,
      );
      const works = {
        expire: stepped.one.begin((db) => expirePending(db, now, 10)),
        park: stepped.two.begin((_db, over) => parkDeliveries(over, [{ id: second, blockedBy: first }])),
      };
      await schedule.run(works);
      expect((await works.expire.result).ended.map(({ deliveryId }) => deliveryId)).toEqual([first]);
      await works.park.result;
      expect(await goes(session)).toEqual([second]);
    });
  });
});
