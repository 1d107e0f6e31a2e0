import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import { openDatabase, parkDeliveries, recordAttempts, type Database, type Queryable } from '#libs/database';
import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { seededRandom, type SeededRandom } from '#test/chaos/seeded-random';
import { cancelDeliveries } from '#test/support/finish-delivery';
import { acceptStatuses, deliveryOf, statusFor } from '#test/support/new-status';
import { statementsOver } from '#test/support/statements-over';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';
import { TestSession } from '#test/support/test-session';
import { insertConsumer } from '#test/support/consumer-row';

const CONNECTIONS = 8;
const PAYMENTS = 6;
const STATUSES = 8;
const ROUNDS = 25;

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  // Short, so that a deadlock does not cost a second.
  const url = `${database.url}?options=${encodeURIComponent('-c deadlock_timeout=10ms')}`;
  db = openDatabase({ url, poolSize: CONNECTIONS + 1 });
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

const DEADLOCK = '40P01';

/** As an operator's command does. */
async function cancel(trx: Queryable, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from lock_ending(${ids}::uuid[]) locked (id)`.execute(
    trx,
  );
  await cancelDeliveries(
    trx,
    rows.map(({ id }) => id),
  );
}

/**
 * Eight connections end the deliveries of a few payments at once, some of them each time, until none is left.
 * @returns the number of deadlocks
 */
async function endAll(random: SeededRandom): Promise<number> {
  const consumerId = await insertConsumer(db);
  const payments = Array.from({ length: PAYMENTS }, () => newId());
  for (let status = 0; status < STATUSES; status += 1)
    await acceptStatuses(db, ...payments.map((paymentId) => statusFor(consumerId, { paymentId })));
  const session = await TestSession.open(statementsOver(db), consumerId);
  const left = async (): Promise<string[]> => {
    const { rows } = await sql<{ id: string }>`
      select id from pending_deliveries where consumer_id = ${consumerId}`.execute(db);
    return random.shuffled(rows.map(({ id }) => id)).slice(0, PAYMENTS);
  };
  let deadlocks = 0;
  const endSome = async (records: boolean): Promise<void> => {
    for (let ids = await left(); ids.length > 0; ids = await left())
      try {
        if (!records) await db.transaction().execute((trx) => cancel(trx, ids));
        else
          await recordAttempts(
            statementsOver(db),
            ids.map((id) => session.result(id, { state: 'delivered' })),
          );
      } catch (error) {
        if (!(error instanceof DatabaseError && error.code === DEADLOCK)) throw error;
        deadlocks += 1;
      }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => endSome(index % 2 === 0)));
  return deadlocks;
}

it('eight connections that record and cancel deliveries of the same payments never deadlock while the table is analyzed', async () => {
  const random = seededRandom(1);
  const over = new AbortController();
  const endRounds = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1)
      expect({ deadlocks: await endAll(random) }).toEqual({ deadlocks: 0 });
  };
  // Some statements are planned for an empty table, others for the rows that are there.
  const analyzeAgain = async (): Promise<void> => {
    while (!over.signal.aborted) await sql`vacuum analyze pending_deliveries`.execute(db);
  };
  await Promise.all([endRounds().finally(() => over.abort()), analyzeAgain()]);
});

it('an end makes only the next status of its payment due, also in a table that was empty when it was analyzed', async () => {
  const consumerId = await insertConsumer(db);
  const acceptAll = async (paymentId: string): Promise<void> => {
    for (let status = 0; status < STATUSES; status += 1)
      await acceptStatuses(db, statusFor(consumerId, { paymentId }));
  };
  const pending = async (): Promise<{ id: string; number: number; due: boolean }[]> => {
    const { rows } = await sql<{ id: string; number: number; due: boolean }>`
      select id, number, next_attempt_at <= now() as due from pending_deliveries
      where consumer_id = ${consumerId} order by number`.execute(db);
    return rows;
  };
  const end = async (ids: readonly string[]): Promise<void> =>
    db.transaction().execute((trx) => cancel(trx, ids));
  await acceptAll(newId());
  await end((await pending()).map(({ id }) => id));
  await sql`analyze pending_deliveries`.execute(db);
  await acceptAll(newId());

  const [first, ...others] = await pending();
  await end(first === undefined ? [] : [first.id]);
  expect((await pending()).map(({ number, due }) => ({ number, due }))).toEqual(
    others.map(({ number }) => ({ number, due: number === 2 })),
  );
});

it('they deadlock if the next statuses of the payments are not locked in order (planted fault)', async () => {
  await sql`
    create or replace function lock_ending(ids uuid[]) returns setof uuid language sql as $$
      select locked.id
      from (select p.* from pending_deliveries p where p.id = any (ids)
            order by p.consumer_id, p.event_type, p.payment_id, p.number, p.id) found
      cross join lateral (select p.id from pending_deliveries p where p.id = found.id for no key update) locked
    $$`.execute(db);
  const random = seededRandom(1);
  let deadlocks = 0;
  for (let round = 0; round < 20 * ROUNDS && deadlocks === 0; round += 1) deadlocks += await endAll(random);
  expect(deadlocks).toBeGreaterThan(0);
});

describe('parks on one connection, and ends of the earlier statuses on others', () => {
  const PAIRS = 200;

  /** Parks the second status of many payments in one statement while others end the first. @returns how many stay parked */
  async function parkAndEnd(random: SeededRandom): Promise<number> {
    const consumerId = await insertConsumer(db);
    const payments = Array.from({ length: PAIRS }, () => newId());
    const accept = async (): Promise<string[]> => {
      const statuses = payments.map((paymentId) => statusFor(consumerId, { paymentId }));
      await acceptStatuses(db, ...statuses);
      return statuses.map(deliveryOf);
    };
    const [first, second] = [await accept(), await accept()];
    // As after the longest park: a fetch finds them due, and blocked.
    await sql`update pending_deliveries set next_attempt_at = now() where consumer_id = ${consumerId}`.execute(
      db,
    );
    const blocked = second.map((id, index) => ({ id, blockedBy: first[index] ?? '' }));
    const shuffled = random.shuffled(first);
    const endSome = async (from: number): Promise<void> => {
      for (let at = from; at < PAIRS; at += 4 * CONNECTIONS) {
        const ids = shuffled.slice(at, at + 4);
        await db.transaction().execute((trx) => cancel(trx, ids));
      }
    };
    await Promise.all([
      parkDeliveries(statementsOver(db), blocked),
      ...Array.from({ length: CONNECTIONS }, (_, index) => endSome(4 * index)),
    ]);
    const { rows } = await sql<{ id: string }>`
      select id from pending_deliveries where consumer_id = ${consumerId} and next_attempt_at > now()`.execute(
      db,
    );
    return rows.length;
  }

  it('no status stays parked behind one that has ended', async () => {
    const random = seededRandom(2);
    for (let round = 0; round < 10; round += 1) expect(await parkAndEnd(random)).toBe(0);
  });

  it('one stays parked if a park does not lock the earlier status (planted fault)', async () => {
    const { rows } = await sql<{ text: string }>`
      select pg_get_functiondef('park_deliveries'::regproc) as text`.execute(db);
    const planted = rows[0]?.text.replace('for key share skip locked', '') ?? '';
    expect(planted).not.toBe(rows[0]?.text);
    await sql.raw(planted).execute(db);
    const random = seededRandom(2);
    let parked = 0;
    for (let round = 0; round < 20 * ROUNDS && parked === 0; round += 1) parked += await parkAndEnd(random);
    expect(parked).toBeGreaterThan(0);
  });
});
