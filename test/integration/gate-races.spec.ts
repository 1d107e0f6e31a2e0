import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  pauseConsumer,
  record,
  releaseForFreed,
  resumeConsumer,
  take,
  topUp,
  type AuditEntry,
  type Database,
  type Taken,
} from '#libs/database';
import { Gatekeeper } from '#libs/dispatch';
import { Recipient, resultOf, stateOf } from '#test/support/recipient';
import { SteppedConnection, type SteppedWork } from '#test/support/stepped-work';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';

const AUDIT: AuditEntry = { actor: 'test', action: 'test', target: 'test', address: null, details: {} };

let story: StoryInProcess;
let recipient: Recipient;
const opened: { close(): Promise<void> }[] = [];
const toldOf: string[] = [];

beforeAll(async () => {
  story = await startStoryInProcess();
  jest
    .spyOn(story.app.get(Gatekeeper, { strict: false }), 'putOnHold')
    .mockImplementation((consumerIds) => void toldOf.push(...consumerIds));
});
afterAll(() => story.close());
beforeEach(async () => {
  toldOf.length = 0;
  recipient = await Recipient.add(story);
});
afterEach(() => Promise.all(opened.splice(0).map((connection) => connection.close())));

function stepped<T>(work: (db: Database) => Promise<T>): SteppedWork<T> {
  const connection = new SteppedConnection(story.databaseUrl, story.db);
  opened.push(connection);
  return connection.begin(work);
}

async function taken(id: string | undefined): Promise<Taken> {
  const [answer] = await take(story.db, [id ?? '']);
  if (answer?.kind !== 'taken') throw new Error(`not taken: ${JSON.stringify(answer)}`);
  return answer;
}

async function deliver(of: Taken): Promise<string[]> {
  await record(story.db, [resultOf(of, { state: 'delivered' })]);
  const { released } = await releaseForFreed(story.db, [{ consumerId: of.consumerId, slots: 1 }]);
  return released.map(({ deliveryId }) => deliveryId);
}

const toppedUp = async (): Promise<string[]> =>
  (await topUp(story.db, [recipient.id])).map(({ deliveryId }) => deliveryId);

describe('at a gate', () => {
  it('a hold that is set while the last slot frees is found by its own take', async () => {
    const [first, second] = await recipient.acceptPayments(2);
    await recipient.limitTo(1);
    const underWay = await taken(first);
    const taking = stepped((db) => take(db, [second ?? '']));
    // Locks, facts, and the hold, which is not committed.
    for (let statement = 0; statement < 3; statement += 1) expect(await taking.advance()).toBe('paused');
    expect(await deliver(underWay)).toEqual([]);
    expect(await taking.finish()).toEqual([{ kind: 'held', reason: 'concurrency', atGateOf: recipient.id }]);
    expect(await toppedUp()).toEqual([second]);
  });

  it('one of two jobs that bring the same delivery in one take gets it', async () => {
    const [id = ''] = await recipient.acceptPayments(1);
    const answers = await take(story.db, [id, id]);
    expect(answers.map(({ kind }) => kind)).toEqual(['taken', 'leased']);
  });

  it('a delivery accepted behind a backlog whose last one is finished meanwhile is not stranded', async () => {
    const [first, backlog] = await recipient.acceptPayments(2);
    await recipient.limitTo(1);
    const underWay = await taken(first);
    await take(story.db, [backlog ?? '']);
    const own: unknown = Reflect.get(story.accept, 'db');
    const accepting = stepped((db) => {
      Reflect.set(story.accept, 'db', db);
      return recipient.accept('a new payment');
    });
    try {
      // The new one stands behind the backlog, and is not committed.
      expect(await accepting.advance()).toBe('paused');
      expect(await deliver(underWay)).toEqual([backlog]);
      expect(await deliver(await taken(backlog))).toEqual([]);
      const accepted = await accepting.finish();
      expect(await stateOf(story, accepted)).toBe('held:concurrency');
      expect(toldOf).toEqual([recipient.id]);
      expect(await toppedUp()).toEqual([accepted]);
    } finally {
      Reflect.set(story.accept, 'db', own);
    }
  });

  it('a pause while one is being taken lets that one go and no other', async () => {
    const [first, second] = await recipient.acceptPayments(2);
    await recipient.limitTo(1);
    const taking = stepped((db) => take(db, [first ?? '']));
    for (let statement = 0; statement < 2; statement += 1) expect(await taking.advance()).toBe('paused');
    await pauseConsumer(story.db, recipient.id, 'maintenance', AUDIT);
    expect(await taking.finish()).toMatchObject([{ kind: 'taken' }]);
    expect(await take(story.db, [second ?? ''])).toMatchObject([{ kind: 'held', reason: 'paused' }]);
  });

  it('a resume waits for the take that still saw the pause, and then sends what that one held', async () => {
    const [id] = await recipient.acceptPayments(1);
    await pauseConsumer(story.db, recipient.id, 'maintenance', AUDIT);
    const taking = stepped((db) => take(db, [id ?? '']));
    for (let statement = 0; statement < 3; statement += 1) expect(await taking.advance()).toBe('paused');
    const resuming = stepped((db) => resumeConsumer(db, recipient.id, AUDIT));
    expect(await resuming.advance()).toBe('blocked');
    await taking.finish();
    expect(await resuming.finish()).toBe(true);
    expect(await toppedUp()).toEqual([id]);
  });
});
