import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  holdForSecret,
  mendSecretFault,
  pauseConsumer,
  pauseDispatcher,
  record,
  releaseForFreed,
  resumeConsumer,
  resumeDispatcher,
  secretFaults,
  take,
  topUp,
  type AuditEntry,
  type NotTaken,
  type Taken,
} from '#libs/database';
import { Gatekeeper } from '#libs/dispatch';
import { sql } from 'kysely';
import { Recipient, resultOf, stateOf } from '#test/support/recipient';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';
import { waitUntil } from '#test/support/wait-until';

const AUDIT: AuditEntry = { actor: 'test', action: 'test', target: 'test', address: null, details: {} };

let story: StoryInProcess;

beforeAll(async () => {
  story = await startStoryInProcess();
  // The tests look after the gates themselves.
  jest.spyOn(story.app.get(Gatekeeper, { strict: false }), 'putOnHold').mockImplementation(() => undefined);
});
afterAll(() => story.close());

const takeOne = async (id: string | undefined): Promise<Taken | NotTaken | undefined> =>
  (await take(story.db, [id ?? '']))[0];

async function taken(id: string | undefined): Promise<Taken> {
  const answer = await takeOne(id);
  if (answer?.kind !== 'taken') throw new Error(`not taken: ${JSON.stringify(answer)}`);
  return answer;
}

/** Delivers what was taken. @returns what its slot was given to */
async function deliver(of: Taken): Promise<string[]> {
  await record(story.db, [resultOf(of, { state: 'delivered' })]);
  const { released } = await releaseForFreed(story.db, [{ consumerId: of.consumerId, slots: 1 }]);
  return released.map(({ deliveryId }) => deliveryId);
}

const toppedUp = async (consumerId: string): Promise<string[]> =>
  (await topUp(story.db, [consumerId])).map(({ deliveryId }) => deliveryId);

describe('maxConcurrency', () => {
  it.each([1, 3])(
    'of %i is exact, however many take at the same time, and everything goes',
    async (limit) => {
      const recipient = await Recipient.add(story);
      const jobs = await recipient.acceptPayments(40);
      await recipient.limitTo(limit);
      let [finished, most] = [0, 0];
      const look = async (): Promise<boolean> => {
        most = Math.max(most, (await recipient.inState('sending')).length);
        return most === limit;
      };
      const whatIsHeldGoesAgain = async (): Promise<void> =>
        void jobs.push(...(await toppedUp(recipient.id)));
      const work = async (): Promise<void> => {
        const id = jobs.shift();
        if (id === undefined) return;
        const answer = await takeOne(id);
        if (answer?.kind === 'held') await whatIsHeldGoesAgain();
        if (answer?.kind !== 'taken') return;
        // The first ones stay until as many are being sent as may be.
        await waitUntil(look, { what: 'the limit to be reached', everyMs: 1 });
        jobs.push(...(await deliver(answer)));
        finished += 1;
        await look();
      };
      const taker = (): Promise<unknown> =>
        waitUntil(
          async () => {
            await work();
            return finished === 40;
          },
          { what: () => `40 to be finished, not ${finished}`, everyMs: 1 },
        );
      await Promise.all(Array.from({ length: 8 }, taker));
      expect(most).toBe(limit);
      expect(await recipient.inState('held')).toEqual([]);
    },
  );

  it('is exact within one batch, and what is over waits', async () => {
    const recipient = await Recipient.add(story);
    const deliveries = await recipient.acceptPayments(4);
    await recipient.limitTo(2);
    const answers = await take(story.db, deliveries);
    expect(answers.map(({ kind }) => kind)).toEqual(['taken', 'taken', 'held', 'held']);
    expect(answers[3]).toEqual({ kind: 'held', reason: 'concurrency', atGateOf: recipient.id });
    expect(await toppedUp(recipient.id)).toEqual([]);
  });

  it('gives no job to what is beyond the window when it is accepted', async () => {
    const recipient = await Recipient.add(story, { max_concurrency: 2 });
    const deliveries = await recipient.acceptPayments(5);
    expect(await recipient.inState('queued')).toEqual(deliveries.slice(0, 2));
    expect(await Promise.all(deliveries.slice(2).map((id) => stateOf(story, id)))).toEqual(
      Array.from({ length: 3 }, () => 'held:concurrency'),
    );
    expect(await deliver(await taken(deliveries[0]))).toEqual([deliveries[2]]);
    expect(await toppedUp(recipient.id)).toEqual([]);
  });

  it('counts a lease only while it lasts: those of a dead worker keep nobody out', async () => {
    const recipient = await Recipient.add(story);
    const [lost, next] = await recipient.acceptPayments(2);
    await recipient.limitTo(1);
    await taken(lost);
    await sql`update open_deliveries set lease_until = now() - interval '1 ms' where id = ${lost}`.execute(
      story.db,
    );
    expect(await takeOne(next)).toMatchObject({ kind: 'taken' });
    expect(await takeOne(lost)).toMatchObject({ kind: 'held', reason: 'concurrency' });
  });
});

describe('a pause', () => {
  it('stops the next take, keeps everything, and resume sends it in order, a window at a time', async () => {
    const recipient = await Recipient.add(story, { max_concurrency: 3 });
    const [first, second] = await recipient.acceptPayments(2);
    const underWay = await taken(first);
    expect(await pauseConsumer(story.db, recipient.id, 'maintenance', AUDIT)).toBe(true);
    expect(await takeOne(second)).toMatchObject({ kind: 'held', reason: 'paused' });
    const later = await recipient.acceptPayments(8);
    expect(await stateOf(story, later[7] ?? '')).toBe('held:paused');
    expect(await deliver(underWay)).toEqual([]);
    expect(await toppedUp(recipient.id)).toEqual([]);

    expect(await resumeConsumer(story.db, recipient.id, AUDIT)).toBe(true);
    const window = await toppedUp(recipient.id);
    expect(window).toHaveLength(3);
    expect(await toppedUp(recipient.id)).toEqual([]);
    const order: string[] = [];
    for (let id = window.shift(); id !== undefined; id = window.shift()) {
      window.push(...(await deliver(await taken(id))));
      order.push(id);
      expect(await recipient.inState('queued')).toHaveLength(window.length);
      expect(window.length).toBeLessThanOrEqual(3);
    }
    expect(order).toEqual([second, ...later]);
  });

  it('of the dispatcher holds everybody, and resume leaves who is paused on his own account', async () => {
    const [one, other] = [await Recipient.add(story), await Recipient.add(story)];
    await pauseConsumer(story.db, other.id, 'maintenance', AUDIT);
    await pauseDispatcher(story.db, 'an incident', AUDIT);
    const [held] = await one.acceptPayments(1);
    const [heldLonger] = await other.acceptPayments(1);
    expect(await topUp(story.db, undefined)).toEqual([]);
    await resumeDispatcher(story.db, AUDIT);
    expect(await topUp(story.db, undefined)).toEqual([{ deliveryId: held, consumerId: one.id, round: 1 }]);
    expect(await stateOf(story, heldLonger ?? '')).toBe('held:paused');
  });
});

describe('a consumer that answers 410', () => {
  it('is paused, and its delivery waits for it with the attempt counted', async () => {
    const recipient = await Recipient.add(story);
    const [gone, alsoGone, next] = await recipient.acceptPayments(3);
    const [one, another] = [await taken(gone), await taken(alsoGone)];
    // At no moment is it on hold at an open gate, where the reconciler would find it and ask again.
    const [answer] = await record(story.db, [resultOf(one, { hold: 'paused', spendsAttempt: true })]);
    expect(answer?.paused).toMatchObject({ kind: 'paused_by_consumer' });
    expect(await toppedUp(recipient.id)).toEqual([]);
    const [answerAfter] = await record(story.db, [
      resultOf(another, { hold: 'paused', spendsAttempt: true }),
    ]);
    expect(answerAfter).toMatchObject({ recorded: true, paused: undefined });
    expect(await takeOne(next)).toMatchObject({ kind: 'held', reason: 'paused' });
    expect(await toppedUp(recipient.id)).toEqual([]);
    expect(await recipient.audited()).toEqual(['consumer.paused_by_consumer']);

    await resumeConsumer(story.db, recipient.id, AUDIT);
    expect(await toppedUp(recipient.id)).toEqual(expect.arrayContaining([gone, alsoGone, next]));
    expect(await taken(gone)).toMatchObject({ attempt: 2, scheduleStep: 1 });
  });
});

describe('credentials that cannot be decrypted', () => {
  it('hold the consumer without an attempt until they can be', async () => {
    const recipient = await Recipient.add(story);
    const [first, second, third] = await recipient.acceptPayments(3);
    const [one, two] = [await taken(first), await taken(second)];
    expect(await holdForSecret(story.db, one, 'no key k9')).toMatchObject({ kind: 'secret_fault' });
    expect(await holdForSecret(story.db, two, 'no key k9')).toBeUndefined();
    expect(await takeOne(third)).toMatchObject({ kind: 'held', reason: 'secret' });
    expect(await toppedUp(recipient.id)).toEqual([]);
    expect(await secretFaults(story.db)).toEqual([{ consumerId: recipient.id, version: 1 }]);

    expect(await mendSecretFault(story.db, recipient.id)).toMatchObject({ kind: 'secret_mended' });
    expect(await mendSecretFault(story.db, recipient.id)).toBeUndefined();
    expect(await toppedUp(recipient.id)).toEqual([first, second, third]);
    expect(await taken(first)).toMatchObject({ attempt: 1, scheduleStep: 0 });
    expect(await recipient.audited()).toEqual(['consumer.secret_fault', 'consumer.secret_mended']);
  });

  it('hold nothing that another worker has taken over', async () => {
    const recipient = await Recipient.add(story);
    const [id] = await recipient.acceptPayments(1);
    const late = await taken(id);
    await sql`update open_deliveries set lease_until = now() - interval '1 ms' where id = ${id}`.execute(
      story.db,
    );
    const successor = await taken(id);
    await holdForSecret(story.db, late, 'no key k9');
    expect(await stateOf(story, successor.deliveryId)).toBe('sending');
    await mendSecretFault(story.db, recipient.id);
  });
});
