import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#libs/contracts';
import { insertAtOnce, record, take, type Database, type Inserted } from '#libs/database';
import { everyInterleaving, interleave } from '#test/support/every-interleaving';
import { claimOf, newStatus, routingVersion } from '#test/support/new-status';
import { Recipient, resultOf } from '#test/support/recipient';
import { SteppedConnection } from '#test/support/stepped-work';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';

/** Its statement, which is a transaction of its own, and one step more for the commit. */
const ACCEPT = 2;

let story: StoryInProcess;
let recipient: Recipient;
let version: string;
let one: SteppedConnection;
let other: SteppedConnection;

beforeAll(async () => {
  story = await startStoryInProcess();
  recipient = await Recipient.add(story);
  version = await routingVersion(story.db);
  one = new SteppedConnection(story.databaseUrl, story.db);
  other = new SteppedConnection(story.databaseUrl, story.db);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await story.close();
});

/** **accept** as an api process does it, of one change. */
function acceptAtOnce(
  db: Database,
  { key = newId(), paymentId, routing = version }: { key?: string; paymentId: string; routing?: string },
): Promise<Inserted | undefined> {
  const event = newStatus({
    paymentId,
    deliveries: [{ id: newId(), consumerId: recipient.id, ordered: true, behindInBatch: false }],
  });
  return insertAtOnce(db, [claimOf(event, { key, companyIds: [recipient.company] })], [event], routing);
}

const writtenOf = (paymentId: string) =>
  story.db
    .selectFrom('open_deliveries')
    .select(['id', 'number', 'state'])
    .where('payment_id', '=', paymentId)
    .orderBy('number')
    .execute();

describe('every interleaving of two accepts', () => {
  it('of one payment leaves its statuses in order, also where the second has not seen the first', async () => {
    const seconds = new Set<string>();
    for (const [index, turns] of everyInterleaving(ACCEPT, ACCEPT).entries()) {
      const paymentId = `payment-${String(index)}`;
      const accepting = (connection: SteppedConnection) =>
        connection.begin((db) => acceptAtOnce(db, { paymentId }));
      await interleave(turns, accepting(one), accepting(other));

      const [first, second] = await writtenOf(paymentId);
      expect({ turns, numbers: [first?.number, second?.number] }).toEqual({ turns, numbers: [1, 2] });
      seconds.add(second?.state ?? '');
      const ids = [first?.id ?? '', second?.id ?? ''] as const;
      expect(await take(story.db, [ids[1]])).toMatchObject([{ kind: 'held', reason: 'order' }]);
      const [taken] = await take(story.db, [ids[0]]);
      if (taken?.kind !== 'taken') throw new Error(`not taken: ${JSON.stringify(taken)}`);
      const [recorded] = await record(story.db, [resultOf(taken, { state: 'delivered' })]);
      expect(recorded?.released.map(({ deliveryId }) => deliveryId)).toEqual([ids[1]]);
    }
    expect([...seconds].toSorted()).toEqual(['held', 'queued']);
  });

  it('with one idempotency key writes one of them, and tells the other so', async () => {
    for (const [index, turns] of everyInterleaving(ACCEPT, ACCEPT).entries()) {
      const paymentId = `repeated-${String(index)}`;
      const accepting = (connection: SteppedConnection) =>
        connection.begin((db) => acceptAtOnce(db, { key: paymentId, paymentId }));
      const answers = await interleave(turns, accepting(one), accepting(other));

      const written = await writtenOf(paymentId);
      expect(written.map(({ number }) => number)).toEqual([1]);
      expect(answers.flatMap((answer) => answer?.queued ?? [])).toEqual([
        { deliveryId: written[0]?.id, consumerId: recipient.id },
      ]);
      expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
    }
  });
});

it('an accept whose routing is out of date writes nothing', async () => {
  const stale = { key: newId(), paymentId: 'stale', routing: '0' };
  expect(await acceptAtOnce(story.db, stale)).toBeUndefined();
  expect(await writtenOf('stale')).toEqual([]);
  expect(await acceptAtOnce(story.db, { ...stale, routing: version })).toMatchObject({ queued: [{}] });
});
