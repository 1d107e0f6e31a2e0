import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  cancelDelivery,
  patrolLanes,
  record,
  releaseForFreed,
  retryDelivery,
  take,
  topUp,
  type AttemptResult,
  type AuditEntry,
  type Database,
  type Taken,
} from '#libs/database';
import { Gatekeeper } from '#libs/dispatch';
import { sql } from 'kysely';
import { everyInterleaving, interleave } from '#test/support/every-interleaving';
import { Recipient, resultOf, stateOf } from '#test/support/recipient';
import { SteppedConnection } from '#test/support/stepped-work';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';

const AUDIT: AuditEntry = { actor: 'ann', action: 'act', target: 'it', address: null, details: {} };
/** Statements, and one step more for the commit. */
const RECORD = 3;
const TAKE = 4;
const ACCEPT = 3;
const ACT = 9;
let story: StoryInProcess;
let own: unknown;
let one: SteppedConnection;
let other: SteppedConnection;

beforeAll(async () => {
  story = await startStoryInProcess();
  own = Reflect.get(story.accept, 'db');
  one = new SteppedConnection(story.databaseUrl, story.db);
  other = new SteppedConnection(story.databaseUrl, story.db);
  jest.spyOn(story.app.get(Gatekeeper, { strict: false }), 'putOnHold').mockImplementation(() => undefined);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await story.close();
});
afterEach(async () => {
  Reflect.set(story.accept, 'db', own);
  const { released } = await patrolLanes(story.db, null, 100_000);
  if (released.length > 0) throw new Error('the patrol had something to release');
});

async function taken(id: string): Promise<Taken> {
  const [answer] = await take(story.db, [id]);
  if (answer?.kind !== 'taken') throw new Error(`not taken: ${JSON.stringify(answer)}`);
  return answer;
}

const retry = (db: Database, id: string) => retryDelivery(db, id, { force: false }, AUDIT);
const cancel = (db: Database, id: string) => cancelDelivery(db, id, AUDIT);
const state = (id: string): Promise<string> => stateOf(story, id);

async function rowsOf(id: string): Promise<number> {
  const { rows } = await sql`
    select from open_deliveries where id = ${id} union all select from deliveries where id = ${id}`.execute(
    story.db,
  );
  return rows.length;
}

/** Not every one: an act has many statements. Those in which the other comes as a block, wherever. */
const everyMeeting = (first: number, second: number, mostChanges = 3) =>
  everyInterleaving(first, second).filter((turns) => {
    const changes = turns.filter((turn, index) => index > 0 && turn !== turns[index - 1]).length;
    return changes <= mostChanges;
  });

describe('at every point', () => {
  it.each<{ next: AttemptResult['next']; ends: string[] }>([
    { next: { state: 'dead' }, ends: ['dead', 'queued'] },
    { next: { state: 'delivered' }, ends: ['delivered'] },
    { next: { retryInMs: 3_600_000 }, ends: ['queued'] },
  ])(
    'a retry and the record of its attempt ($next): one row, and either the record stands or it was first',
    async ({ next, ends }) => {
      const recipient = await Recipient.add(story);
      for (const [index, turns] of everyMeeting(ACT, RECORD).entries()) {
        const id = await recipient.accept(`payment-${String(index)}`);
        const of = await taken(id);
        const retrying = one.begin((db) => retry(db, id));
        const recording = other.begin((db) => record(db, [resultOf(of, next)]));
        const [retried, [recorded]] = await interleave(turns, retrying, recording);
        expect({ turns, recorded: recorded?.recorded, rows: await rowsOf(id) }).toEqual({
          turns,
          recorded: true,
          rows: 1,
        });
        expect(ends).toContain(await state(id));
        const attempt = retried.kind === 'done' ? (await taken(id)).attempt : undefined;
        expect([
          ['done', 2],
          ['being_sent', undefined],
          ['delivered', undefined],
        ]).toContainEqual([retried.kind, attempt]);
        await sql`delete from open_deliveries where id = ${id}`.execute(story.db);
      }
    },
  );

  it('a retry of one whose lease ran out and the late record of its worker: it goes again, whoever was first', async () => {
    const recipient = await Recipient.add(story);
    for (const [index, turns] of everyMeeting(ACT, RECORD).entries()) {
      const id = await recipient.accept(`payment-${String(index)}`);
      const of = await taken(id);
      await sql`update open_deliveries set lease_until = now() - interval '1 s' where id = ${id}`.execute(
        story.db,
      );
      const [retried, [recorded]] = await interleave(
        turns,
        one.begin((db) => retry(db, id)),
        other.begin((db) => record(db, [resultOf(of, { state: 'dead' })])),
      );
      const again = await taken(id);
      expect({ turns, kind: retried.kind, attempt: again.attempt, rows: await rowsOf(id) }).toEqual({
        turns,
        kind: 'done',
        attempt: recorded?.recorded === true ? 2 : 1,
        rows: 1,
      });
      await sql`delete from open_deliveries where id = ${id}`.execute(story.db);
    }
  });

  it('two retries of a dead delivery open it once', async () => {
    const recipient = await Recipient.add(story);
    for (const [index, turns] of everyMeeting(ACT, ACT, 2).entries()) {
      const id = await recipient.accept(`payment-${String(index)}`);
      await record(story.db, [resultOf(await taken(id), { state: 'dead' })]);
      await interleave(
        turns,
        one.begin((db) => retry(db, id)),
        other.begin((db) => retry(db, id)),
      );
      expect({ turns, rows: await rowsOf(id), state: await state(id) }).toEqual({
        turns,
        rows: 1,
        state: 'queued',
      });
      await sql`delete from open_deliveries where id = ${id}`.execute(story.db);
    }
  });

  it('a retry of an earlier one behind a predecessor that is recorded meanwhile is not stranded', async () => {
    const recipient = await Recipient.add(story);
    for (const [index, turns] of everyMeeting(ACT, RECORD).entries()) {
      const payment = `payment-${String(index)}`;
      const [first, second] = [await recipient.accept(payment), await recipient.accept(payment)];
      await cancel(story.db, second);
      const of = await taken(first);
      const retrying = one.begin((db) => retry(db, second));
      const recording = other.begin((db) => record(db, [resultOf(of, { state: 'delivered' })]));
      const [retried, [recorded]] = await interleave(turns, retrying, recording);
      if (retried.kind !== 'done') throw new Error(retried.kind);
      const goes = retried.queued.length + (recorded?.released.length ?? 0);
      expect({ turns, goes, state: await state(second) }).toEqual({ turns, goes: 1, state: 'queued' });
      await sql`delete from open_deliveries where id = ${second}`.execute(story.db);
    }
  });

  it('a cancellation and a take: it is sent or cancelled, never both', async () => {
    const recipient = await Recipient.add(story);
    for (const [index, turns] of everyMeeting(ACT, TAKE).entries()) {
      const id = await recipient.accept(`payment-${String(index)}`);
      const [cancelled, [answer]] = await interleave(
        turns,
        one.begin((db) => cancel(db, id)),
        other.begin((db) => take(db, [id])),
      );
      const seen = [cancelled.kind, answer?.kind, await state(id)];
      expect([
        ['done', 'finished', 'cancelled'],
        ['being_sent', 'taken', 'sending'],
      ]).toContainEqual(seen);
      await sql`delete from open_deliveries where id = ${id}`.execute(story.db);
    }
  });

  it('a cancellation and the record of the one before: the third goes, and once', async () => {
    const recipient = await Recipient.add(story);
    for (const [index, turns] of everyMeeting(ACT, RECORD).entries()) {
      const payment = `payment-${String(index)}`;
      const ids: string[] = [];
      for (let status = 0; status < 3; status += 1) ids.push(await recipient.accept(payment));
      const [first = '', second = '', third = ''] = ids;
      const of = await taken(first);
      const [cancelled, [recorded]] = await interleave(
        turns,
        one.begin((db) => cancel(db, second)),
        other.begin((db) => record(db, [resultOf(of, { state: 'delivered' })])),
      );
      if (cancelled.kind !== 'done') throw new Error(cancelled.kind);
      const released = [...cancelled.released, ...(recorded?.released ?? [])].map((r) => r.deliveryId);
      expect({ turns, goes: released.filter((id) => id === third), state: await state(third) }).toEqual({
        turns,
        goes: [third],
        state: 'queued',
      });
      await sql`delete from open_deliveries where consumer_id = ${recipient.id}`.execute(story.db);
    }
  });

  it('a cancellation and the acceptance of the next status leave that one free to go', async () => {
    const recipient = await Recipient.add(story);
    for (const [index, turns] of everyMeeting(ACT, ACCEPT).entries()) {
      const payment = `payment-${String(index)}`;
      Reflect.set(story.accept, 'db', own);
      const first = await recipient.accept(payment);
      const [cancelled, next] = await interleave(
        turns,
        one.begin((db) => cancel(db, first)),
        other.begin((db) => {
          Reflect.set(story.accept, 'db', db);
          return recipient.accept(payment);
        }),
      );
      expect({ turns, cancelled: cancelled.kind, state: await state(next) }).toEqual({
        turns,
        cancelled: 'done',
        state: 'queued',
      });
      await sql`delete from open_deliveries where consumer_id = ${recipient.id}`.execute(story.db);
    }
  });

  it('a retry that finds no slot and the record that frees it let the delivery go', async () => {
    const recipient = await Recipient.add(story);
    for (const turns of everyMeeting(ACT + 1, RECORD + 1)) {
      await recipient.limitTo(2);
      const [first = '', second = ''] = await recipient.acceptPayments(2);
      await cancel(story.db, second);
      await recipient.limitTo(1);
      const under = await taken(first);
      const retrying = one.begin(async (db, halt) => {
        const retried = await retry(db, second);
        await halt();
        return topUp(db, retried.kind === 'done' ? retried.atGateOf : []);
      });
      const recording = other.begin(async (db, halt) => {
        await record(db, [resultOf(under, { state: 'delivered' })]);
        await halt();
        return releaseForFreed(db, [{ consumerId: recipient.id, slots: 1 }]);
      });
      await interleave(turns, retrying, recording);
      expect({ turns, state: await state(second) }).toEqual({ turns, state: 'queued' });
      await sql`delete from open_deliveries where consumer_id = ${recipient.id}`.execute(story.db);
    }
  });
});
