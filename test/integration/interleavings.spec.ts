import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  patrolLanes,
  record,
  releaseForFreed,
  take,
  topUp,
  type AttemptResult,
  type Taken,
} from '#libs/database';
import { Gatekeeper } from '#libs/dispatch';
import { sql } from 'kysely';
import { everyInterleaving, interleave } from '#test/support/every-interleaving';
import { Recipient, resultOf, stateOf } from '#test/support/recipient';
import { SteppedConnection } from '#test/support/stepped-work';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';

/** Statements, and one step more for the commit. */
const ACCEPT = 2;
const RECORD = 3;
const TAKE = 4;
const DELIVERED: AttemptResult['next'] = { state: 'delivered' };

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

/** Changes it behind **accept**'s back, which goes on to put nothing on hold. */
const setOrdering = (recipient: Recipient, ordering: 'none' | 'payment'): Promise<unknown> =>
  sql`update consumers set ordering = ${ordering} where id = ${recipient.id}`.execute(story.db);

/** Statuses of one payment, each with a job of its own when the consumer wants no order. */
async function lane(recipient: Recipient, payment: number, statuses: number): Promise<string[]> {
  const ids: string[] = [];
  for (let status = 0; status < statuses; status += 1) {
    ids.push(await recipient.accept(`payment-${String(payment)}`));
  }
  return ids;
}

async function goesAfter(id: string, predecessors: readonly string[]): Promise<void> {
  const { rows } = await sql`
    select from open_deliveries d join open_deliveries p on p.id = any (${predecessors}::uuid[])
    where d.id = ${id} and d.state = 'sending'`.execute(story.db);
  if (rows.length > 0) throw new Error('it is being sent before its predecessor is finished');
}

const clear = (recipient: Recipient): Promise<unknown> =>
  sql`delete from open_deliveries where consumer_id = ${recipient.id}`.execute(story.db);

describe('every interleaving of', () => {
  it.each([
    { next: DELIVERED, state: 'queued' },
    { next: { state: 'dead' } as const, state: 'queued' },
    { next: { retryInMs: 0 } as const, state: 'held:order' },
  ])('accept and the record of its predecessor ($next) leaves it $state', async ({ next, state }) => {
    const recipient = await Recipient.add(story);
    for (const [index, turns] of everyInterleaving(ACCEPT, RECORD).entries()) {
      const payment = `payment-${String(index)}`;
      Reflect.set(story.accept, 'db', own);
      const predecessor = await taken(await recipient.accept(payment));
      const accepting = one.begin((db) => {
        Reflect.set(story.accept, 'db', db);
        return recipient.accept(payment);
      });
      const recording = other.begin((db) => record(db, [resultOf(predecessor, next)]));
      const [accepted] = await interleave(turns, accepting, recording);
      expect({ turns, state: await stateOf(story, accepted) }).toEqual({ turns, state });
      await clear(recipient);
    }
  });

  it('a take that finds no slot and the record that frees it lets the delivery go, and never two', async () => {
    const recipient = await Recipient.add(story);
    for (const turns of everyInterleaving(TAKE + 1, RECORD + 1)) {
      await recipient.limitTo(2);
      const [first, second = ''] = await recipient.acceptPayments(2);
      await recipient.limitTo(1);
      const underWay = await taken(first ?? '');
      const taking = one.begin(async (db, halt) => {
        const answers = await take(db, [second]);
        await halt();
        const isHeld = answers.some(({ kind }) => kind === 'held');
        return { answers, released: isHeld ? await topUp(db, [recipient.id]) : [] };
      });
      const recording = other.begin(async (db, halt) => {
        await record(db, [resultOf(underWay, DELIVERED)]);
        await halt();
        return releaseForFreed(db, [{ consumerId: recipient.id, slots: 1 }]);
      });
      const [{ answers, released }, freed] = await interleave(turns, taking, recording);
      const goes =
        answers.filter(({ kind }) => kind === 'taken').length + released.length + freed.released.length;
      expect({ turns, goes, held: await recipient.inState('held') }).toEqual({ turns, goes: 1, held: [] });
      await clear(recipient);
    }
  });

  it('a take that waits for its turn and the record of its predecessor lets it go', async () => {
    const recipient = await Recipient.add(story, { ordering: 'none' });
    for (const [index, turns] of everyInterleaving(TAKE, RECORD).entries()) {
      await setOrdering(recipient, 'none');
      const [first = '', second = ''] = await lane(recipient, index, 2);
      const predecessor = await taken(first);
      await setOrdering(recipient, 'payment');
      const taking = one.begin((db) => take(db, [second]));
      const recording = other.begin((db) => record(db, [resultOf(predecessor, DELIVERED)]));
      const [[answer], [recorded]] = await interleave(turns, taking, recording, () =>
        goesAfter(second, [first]),
      );
      const goes = (answer?.kind === 'taken' ? 1 : 0) + (recorded?.released.length ?? 0);
      expect({ turns, goes, isHeld: (await stateOf(story, second)) === 'held:order' }).toEqual({
        turns,
        goes: 1,
        isHeld: false,
      });
      await clear(recipient);
    }
  });

  it('a take that waits for its turn and the records of two predecessors lets it go', async () => {
    const recipient = await Recipient.add(story, { ordering: 'none' });
    for (const [index, turns] of everyInterleaving(TAKE, 2 * RECORD).entries()) {
      await setOrdering(recipient, 'none');
      const [first = '', second = '', third = ''] = await lane(recipient, index, 3);
      const predecessors = [await taken(first), await taken(second)];
      await setOrdering(recipient, 'payment');
      const taking = one.begin((db) => take(db, [third]));
      const recording = other.begin(async (db, halt) => {
        const released = [];
        for (const predecessor of predecessors) {
          const [recorded] = await record(db, [resultOf(predecessor, DELIVERED)]);
          released.push(...(recorded?.released ?? []));
          await halt();
        }
        return released;
      });
      const [[answer], released] = await interleave(turns, taking, recording, () =>
        goesAfter(third, [first, second]),
      );
      const goes = (answer?.kind === 'taken' ? 1 : 0) + released.length;
      expect({ turns, goes, isHeld: (await stateOf(story, third)) === 'held:order' }).toEqual({
        turns,
        goes: 1,
        isHeld: false,
      });
      await clear(recipient);
    }
  });
});
