import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  cancelDelivery,
  ConsumersRepository,
  pauseConsumer,
  record,
  retryDelivery,
  take,
  topUp,
  type AttemptResult,
  type AuditEntry,
  type Retried,
  type Taken,
} from '#libs/database';
import { sql } from 'kysely';
import { Recipient, resultOf, stateOf } from '#test/support/recipient';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';

const AUDIT: AuditEntry = { actor: 'ann', action: 'act', target: 'it', address: '127.0.0.1', details: {} };
const NOBODY = '0199c2f2-7b5e-7c3a-8f00-000000000000';

let story: StoryInProcess;
let recipient: Recipient;

beforeAll(async () => {
  story = await startStoryInProcess();
});
afterAll(() => story.close());
beforeEach(async () => {
  recipient = await Recipient.add(story);
});

async function taken(id: string): Promise<Taken> {
  const [answer] = await take(story.db, [id]);
  if (answer?.kind !== 'taken') throw new Error(`not taken: ${JSON.stringify(answer)}`);
  return answer;
}

async function end(id: string, next: AttemptResult['next'] = { state: 'dead' }): Promise<Taken> {
  const of = await taken(id);
  await record(story.db, [resultOf(of, next)]);
  return of;
}

const retry = (id: string, force = false): Promise<Retried> => retryDelivery(story.db, id, { force }, AUDIT);
const cancel = (id: string) => cancelDelivery(story.db, id, AUDIT);
const state = (id: string): Promise<string> => stateOf(story, id);

async function attemptsOf(id: string): Promise<number[]> {
  const rows = await story.db
    .selectFrom('attempts')
    .select('number')
    .where('delivery_id', '=', id)
    .orderBy('number')
    .execute();
  return rows.map((row) => row.number);
}

const openRow = (id: string) =>
  story.db.selectFrom('open_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('a retry', () => {
  it('opens a dead delivery again: the whole schedule, and the attempts go on', async () => {
    const id = await recipient.accept('payment');
    const former = await end(id);
    const { round } = await story.db
      .selectFrom('deliveries')
      .select('round')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(await retry(id)).toEqual({
      kind: 'done',
      queued: [{ deliveryId: id, consumerId: recipient.id, round: round + 1 }],
      atGateOf: [],
    });
    expect(await openRow(id)).toMatchObject({
      state: 'queued',
      schedule_step: 0,
      attempts: 1,
      held_since: null,
      lease: former.lease,
    });
    const again = await taken(id);
    expect([again.attempt, again.scheduleStep, again.lease]).toEqual([2, 0, former.lease + 1]);
    const [late] = await record(story.db, [resultOf(former, { state: 'delivered' })]);
    expect(late?.recorded).toBe(false);
    await record(story.db, [resultOf(again, { state: 'delivered' })]);
    expect([await state(id), await attemptsOf(id)]).toEqual(['delivered', [1, 2]]);
  });

  it('makes one that waits for its next attempt due now, and keeps its place in the schedule', async () => {
    const id = await recipient.accept('payment');
    await end(id, { retryInMs: 3_600_000 });
    const before = await openRow(id);
    expect(await retry(id)).toMatchObject({ queued: [{ deliveryId: id, round: before.round + 1 }] });
    expect((await taken(id)).scheduleStep).toBe(1);
  });

  it('takes a delivered one only by force, and not one that is being sent', async () => {
    const id = await recipient.accept('payment');
    const of = await taken(id);
    expect(await retry(id)).toEqual({ kind: 'being_sent' });
    expect(await retry(id, true)).toEqual({ kind: 'being_sent' });
    await record(story.db, [resultOf(of, { state: 'delivered' })]);
    expect(await retry(id)).toEqual({ kind: 'delivered' });
    expect(await retry(id, true)).toMatchObject({ kind: 'done' });
    expect(await state(id)).toBe('queued');
  });

  it('takes over from a worker that died, who can record nothing any more', async () => {
    const id = await recipient.accept('payment');
    const dead = await taken(id);
    await sql`update open_deliveries set lease_until = now() - interval '1 s' where id = ${id}`.execute(
      story.db,
    );
    expect(await retry(id)).toMatchObject({ kind: 'done' });
    const [late] = await record(story.db, [resultOf(dead, { state: 'delivered' })]);
    expect([late?.recorded, (await taken(id)).lease]).toEqual([false, dead.lease + 1]);
  });

  it('of one that its consumer’s gate holds leaves it there, and says why', async () => {
    const [id, dead] = [await recipient.accept('one'), await recipient.accept('other')];
    await end(dead);
    await pauseConsumer(story.db, recipient.id, 'maintenance', AUDIT);
    for (const each of [id, dead]) {
      expect(await retry(each)).toEqual({ kind: 'done', queued: [], atGateOf: [recipient.id] });
      expect(await state(each)).toBe('held:paused');
    }
  });

  it('lets one go that was on hold and need not be', async () => {
    const [first = '', second = ''] = await recipient.acceptPayments(2);
    await recipient.limitTo(1);
    const under = await taken(first);
    await take(story.db, [second]);
    expect(await retry(second)).toMatchObject({ queued: [], atGateOf: [recipient.id] });
    await record(story.db, [resultOf(under, { state: 'delivered' })]);
    expect(await retry(second)).toMatchObject({ queued: [{ deliveryId: second }], atGateOf: [] });
    expect(await topUp(story.db, [recipient.id])).toEqual([]);
  });

  it('waits for an earlier open status, and leaves a later one alone', async () => {
    const [first, second, third] = [
      await recipient.accept('payment'),
      await recipient.accept('payment'),
      await recipient.accept('payment'),
    ];
    await end(first);
    await end(second);
    expect(await retry(first)).toMatchObject({ queued: [{ deliveryId: first }] });
    expect(await retry(second)).toMatchObject({ queued: [] });
    expect([await state(second), await state(third)]).toEqual(['held:order', 'queued']);
    const of = await taken(first);
    const [recorded] = await record(story.db, [resultOf(of, { state: 'delivered' })]);
    expect(recorded?.released.map(({ deliveryId }) => deliveryId)).toEqual([second]);
    expect(await take(story.db, [third])).toMatchObject([{ kind: 'held', reason: 'order' }]);
  });

  it('is refused for a removed consumer, a lost event and what never was', async () => {
    const [id, gone] = [await recipient.accept('one'), await recipient.accept('other')];
    await end(id);
    await end(gone);
    await sql`delete from events where id = (select event_id from deliveries where id = ${gone})`.execute(
      story.db,
    );
    expect(await retry(gone)).toEqual({ kind: 'event_gone' });
    await story.app.get(ConsumersRepository, { strict: false }).remove(recipient.id, AUDIT);
    expect(await retry(id)).toEqual({ kind: 'consumer_removed' });
    expect(await retry(NOBODY)).toEqual({ kind: 'unknown' });
    expect([await state(id), await state(gone)]).toEqual(['dead', 'dead']);
  });
});

describe('a cancellation', () => {
  it('ends what is open and lets its successor go', async () => {
    const [first, second] = [await recipient.accept('payment'), await recipient.accept('payment')];
    expect(await state(second)).toBe('held:order');
    expect(await cancel(first)).toMatchObject({ kind: 'done', released: [{ deliveryId: second }] });
    expect([await state(first), await state(second)]).toEqual(['cancelled', 'queued']);
    const row = await story.db
      .selectFrom('deliveries')
      .select('end_reason')
      .where('id', '=', first)
      .executeTakeFirstOrThrow();
    expect(row.end_reason).toBe('cancelled_by_hand');
    expect(await take(story.db, [first])).toEqual([{ kind: 'finished' }]);
  });

  it('of one that is held leaves the others of its lane as they are', async () => {
    const [first, second, third] = [
      await recipient.accept('payment'),
      await recipient.accept('payment'),
      await recipient.accept('payment'),
    ];
    expect(await cancel(second)).toEqual({ kind: 'done', released: [] });
    expect([await state(first), await state(third)]).toEqual(['queued', 'held:order']);
  });

  it('marks a dead one as dealt with, once, and can be taken back by a retry', async () => {
    const id = await recipient.accept('payment');
    await end(id);
    expect(await cancel(id)).toEqual({ kind: 'done', released: [] });
    expect(await cancel(id)).toEqual({ kind: 'already' });
    expect(await state(id)).toBe('cancelled');
    expect(await retry(id)).toMatchObject({ kind: 'done' });
    expect((await end(id, { state: 'delivered' })).attempt).toBe(2);
  });

  it('is refused for what is delivered, being sent or unknown', async () => {
    const id = await recipient.accept('payment');
    const of = await taken(id);
    expect(await cancel(id)).toEqual({ kind: 'being_sent' });
    await record(story.db, [resultOf(of, { state: 'delivered' })]);
    expect(await cancel(id)).toEqual({ kind: 'delivered' });
    expect(await cancel(NOBODY)).toEqual({ kind: 'unknown' });
  });

  it('ends what a worker that died had, who can record nothing any more', async () => {
    const id = await recipient.accept('payment');
    const dead = await taken(id);
    await sql`update open_deliveries set lease_until = now() - interval '1 s' where id = ${id}`.execute(
      story.db,
    );
    expect(await cancel(id)).toMatchObject({ kind: 'done' });
    const [late] = await record(story.db, [resultOf(dead, { state: 'delivered' })]);
    expect([late?.recorded, await state(id)]).toEqual([false, 'cancelled']);
  });
});

it('each act is audited with what it found, a refused one is not', async () => {
  const id = await recipient.accept('payment');
  const entry = (action: string): AuditEntry => ({
    ...AUDIT,
    action,
    target: `delivery:${id}`,
    reason: 'why',
  });
  await end(id);
  await retryDelivery(story.db, id, { force: false }, entry('delivery.retried'));
  await end(id, { state: 'delivered' });
  await cancelDelivery(story.db, id, entry('delivery.cancelled'));
  const rows = await story.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'address', 'reason', 'details'])
    .where('target', '=', `delivery:${id}`)
    .execute();
  expect(rows).toEqual([
    {
      actor: 'ann',
      action: 'delivery.retried',
      address: '127.0.0.1',
      reason: 'why',
      details: { from: 'dead' },
    },
  ]);
});
