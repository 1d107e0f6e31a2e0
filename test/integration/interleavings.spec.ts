import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  patrolLanes,
  record,
  releaseForFreed,
  take,
  topUp,
  type AttemptResult,
  type Database,
  type Taken,
} from '#libs/database';
import { Gatekeeper } from '#libs/dispatch';
import { sql } from 'kysely';
import { everyInterleaving, interleave } from '#test/support/every-interleaving';
import { Recipient, resultOf, stateOf } from '#test/support/recipient';
import { SteppedWork } from '#test/support/stepped-work';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';

/** Statements, and one step more for the commit. */
const ACCEPT = 3;
const RECORD = 3;
const TAKE = 4;
const DEADLINE_MS = 120_000;

const DELIVERED: AttemptResult['next'] = { state: 'delivered' };

let story: StoryInProcess;
let own: unknown;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  story = await startStoryInProcess();
  own = Reflect.get(story.accept, 'db');
  jest.spyOn(story.app.get(Gatekeeper, { strict: false }), 'putOnHold').mockImplementation(() => undefined);
});
afterAll(() => story.close());
afterEach(async () => {
  Reflect.set(story.accept, 'db', own);
  await Promise.all(opened.splice(0).map((work) => work.close()));
  const { released } = await patrolLanes(story.db, null, 100_000);
  if (released.length > 0) throw new Error('the patrol had something to release');
});

function stepped<T>(work: (db: Database, halt: () => Promise<void>) => Promise<T>): SteppedWork<T> {
  const begun = new SteppedWork(story.databaseUrl, story.db, work);
  opened.push(begun);
  return begun;
}

async function taken(id: string): Promise<Taken> {
  const [answer] = await take(story.db, [id]);
  if (answer?.kind !== 'taken') throw new Error(`not taken: ${JSON.stringify(answer)}`);
  return answer;
}

/** Statuses of one payment that all have a job: taken in when their consumer wanted no order, which it now does. */
async function queuedInLane(count: number): Promise<string[]> {
  const recipient = await Recipient.add(story, { ordering: 'none' });
  const lane: string[] = [];
  for (let status = 0; status < count; status += 1) lane.push(await recipient.accept('payment'));
  return lane;
}

const wantOrder = (id: string): Promise<unknown> =>
  sql`update consumers set ordering = 'payment'
      where id = (select consumer_id from open_deliveries where id = ${id})`.execute(story.db);

async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((work) => work.close()));
}

describe('every interleaving of', () => {
  it.each([
    { next: DELIVERED, state: 'queued' },
    { next: { state: 'dead' } as const, state: 'queued' },
    { next: { retryInMs: 0 } as const, state: 'held:order' },
  ])(
    'accept and the record of its predecessor ($next) leaves it $state',
    async ({ next, state }) => {
      const recipient = await Recipient.add(story);
      for (const [index, turns] of everyInterleaving(ACCEPT, RECORD).entries()) {
        const payment = `payment-${String(index)}`;
        Reflect.set(story.accept, 'db', own);
        const predecessor = await taken(await recipient.accept(payment));
        const accepting = stepped((db) => {
          Reflect.set(story.accept, 'db', db);
          return recipient.accept(payment);
        });
        const recording = stepped((db) => record(db, [resultOf(predecessor, next)]));
        const [accepted] = await interleave(turns, accepting, recording);
        expect({ turns, state: await stateOf(story, accepted) }).toEqual({ turns, state });
        await closeAll();
      }
    },
    DEADLINE_MS,
  );

  it(
    'a take that finds no slot and the record that frees it lets the delivery go, and never two',
    async () => {
      for (const turns of everyInterleaving(TAKE + 1, RECORD + 1)) {
        const recipient = await Recipient.add(story, { max_concurrency: 1 });
        const [first, second = ''] = await recipient.acceptPayments(2);
        const underWay = await taken(first ?? '');
        const taking = stepped(async (db, halt) => {
          const answers = await take(db, [second]);
          await halt();
          const isHeld = answers.some(({ kind }) => kind === 'held');
          return { answers, released: isHeld ? await topUp(db, [recipient.id]) : [] };
        });
        const recording = stepped(async (db, halt) => {
          await record(db, [resultOf(underWay, DELIVERED)]);
          await halt();
          return releaseForFreed(db, [{ consumerId: recipient.id, slots: 1 }]);
        });
        const [{ answers, released }, freed] = await interleave(turns, taking, recording);
        const goes =
          answers.filter(({ kind }) => kind === 'taken').length + released.length + freed.released.length;
        expect({ turns, goes, held: await recipient.inState('held') }).toEqual({ turns, goes: 1, held: [] });
        await closeAll();
      }
    },
    DEADLINE_MS,
  );

  it(
    'a take that waits for its turn and the record of its predecessor lets it go',
    async () => {
      for (const turns of everyInterleaving(TAKE, RECORD)) {
        const [first = '', second = ''] = await queuedInLane(2);
        const predecessor = await taken(first);
        await wantOrder(first);
        const taking = stepped((db) => take(db, [second]));
        const recording = stepped((db) => record(db, [resultOf(predecessor, DELIVERED)]));
        const [[answer], [recorded]] = await interleave(turns, taking, recording);
        const goes = (answer?.kind === 'taken' ? 1 : 0) + (recorded?.released.length ?? 0);
        expect({ turns, goes, isHeld: (await stateOf(story, second)) === 'held:order' }).toEqual({
          turns,
          goes: 1,
          isHeld: false,
        });
        await closeAll();
      }
    },
    DEADLINE_MS,
  );

  it(
    'a take that waits for its turn and the records of two predecessors lets it go',
    async () => {
      for (const turns of everyInterleaving(TAKE, 2 * RECORD)) {
        const [first = '', second = '', third = ''] = await queuedInLane(3);
        const predecessors = [await taken(first), await taken(second)];
        await wantOrder(first);
        const taking = stepped((db) => take(db, [third]));
        const recording = stepped(async (db, halt) => {
          const released = [];
          for (const predecessor of predecessors) {
            const [recorded] = await record(db, [resultOf(predecessor, DELIVERED)]);
            released.push(...(recorded?.released ?? []));
            await halt();
          }
          return released;
        });
        const [[answer], released] = await interleave(turns, taking, recording);
        const goes = (answer?.kind === 'taken' ? 1 : 0) + released.length;
        expect({ turns, goes, isHeld: (await stateOf(story, third)) === 'held:order' }).toEqual({
          turns,
          goes: 1,
          isHeld: false,
        });
        await closeAll();
      }
    },
    DEADLINE_MS,
  );
});
