import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  expireHeld,
  pauseConsumer,
  record,
  resumeConsumer,
  retryDelivery,
  SchedulesRepository,
  take,
  type AuditEntry,
  type NewConsumer,
} from '#libs/database';
import { sql } from 'kysely';
import { BulkRuns } from '#test/support/bulk-runs';
import { Recipient, resultOf, stateOf } from '#test/support/recipient';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';

const AUDIT: AuditEntry = { actor: 'test', action: 'test', target: 'test', address: null, details: {} };
const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

let story: StoryInProcess;

beforeAll(async () => {
  story = await startStoryInProcess();
});
afterAll(() => story.close());

/** A consumer with a payment of two statuses, the first of which is on hold since so many days. */
async function heldFor(days: number, given: Partial<NewConsumer> = {}) {
  const recipient = await Recipient.add(story, given);
  const [first, second] = [await recipient.accept('payment'), await recipient.accept('payment')];
  await hold(first, days);
  return { recipient, first, second };
}

const hold = (id: string, days: number): Promise<unknown> =>
  sql`update open_deliveries set state = 'held', hold_reason = 'circuit', held_since = ${daysAgo(days)}
      where id = ${id}`.execute(story.db);

const openCircuit = ({ id }: Recipient): Promise<unknown> =>
  sql`update consumer_gates set circuit_opened_at = now(), next_probe_at = now() + interval '1 hour'
      where consumer_id = ${id}`.execute(story.db);

/** Pauses it as of then and resumes it now. */
async function wasPaused(recipient: Recipient, sinceDays: number): Promise<void> {
  await pauseConsumer(story.db, recipient.id, 'maintenance', AUDIT);
  await sql`update consumers set paused_at = ${daysAgo(sinceDays)} where id = ${recipient.id}`.execute(
    story.db,
  );
  await resumeConsumer(story.db, recipient.id, AUDIT);
}

const expired = async (): Promise<string[]> =>
  (await expireHeld(story.db, new Date(), 100)).dead.map(({ deliveryId }) => deliveryId);

describe('a delivery that is held without an attempt', () => {
  it('is dead after seven days, says why, and the next of its payment goes', async () => {
    const { recipient, first, second } = await heldFor(7.01);
    expect(await expireHeld(story.db, new Date(), 100)).toEqual({
      dead: [{ deliveryId: first, consumerId: recipient.id }],
      released: [expect.objectContaining({ deliveryId: second, round: 1 })],
    });
    expect(
      await story.db.selectFrom('deliveries').selectAll().where('id', '=', first).execute(),
    ).toMatchObject([{ state: 'dead', end_reason: 'held_too_long', attempts: 0 }]);
    expect(await stateOf(story, second)).toBe('queued');
  });

  it('lives before that', async () => {
    const { first } = await heldFor(6.99);
    expect(await expired()).toEqual([]);
    expect(await stateOf(story, first)).toBe('held:circuit');
  });

  it('is given as many days as its consumer has', async () => {
    const [short, long] = [
      await heldFor(1.01, { max_held_days: 1 }),
      await heldFor(29, { max_held_days: 30 }),
    ];
    expect(await expired()).toEqual([short.first]);
    expect(await stateOf(story, long.first)).toBe('held:circuit');
  });

  it('lives when it was tried, even if it has waited for longer since', async () => {
    const { first } = await heldFor(0);
    await sql`update open_deliveries set state = 'queued', hold_reason = null where id = ${first}`.execute(
      story.db,
    );
    const [taken] = await take(story.db, [first]);
    if (taken?.kind !== 'taken') throw new Error('not taken');
    await record(story.db, [resultOf(taken, { retryInMs: 0 })]);
    await hold(first, 9);
    expect(await expired()).toEqual([]);
  });

  it('has its days anew after a replay, which begins its schedule anew', async () => {
    const { recipient, first } = await heldFor(9);
    await sql`update open_deliveries set schedule_step = 2 where id = ${first}`.execute(story.db);
    await openCircuit(recipient);
    expect(await new BulkRuns(story).run('replay', { consumerId: recipient.id })).toMatchObject({
      changed: 2,
    });
    expect(await stateOf(story, first)).toBe('held:circuit');
    expect(await expired()).toEqual([]);
    await hold(first, 7.01);
    expect(await expired()).toEqual([first]);
  });

  it('is neither killed nor given more time by a retry at a closed gate', async () => {
    const [tried, untried] = [await heldFor(9), await heldFor(6.99)];
    await sql`update open_deliveries set schedule_step = 2 where id = ${tried.first}`.execute(story.db);
    for (const { recipient, first } of [tried, untried]) {
      await openCircuit(recipient);
      expect(await retryDelivery(story.db, first, { force: false }, AUDIT)).toMatchObject({ kind: 'done' });
      expect(await stateOf(story, first)).toBe('held:circuit');
    }
    expect(await expired()).toEqual([]);
    for (const { first } of [tried, untried]) {
      await sql`update open_deliveries set held_since = held_since - interval '1 hour' where id = ${first}`.execute(
        story.db,
      );
    }
    expect(await expired()).toEqual([untried.first]);
    // What has died of waiting has all its days again.
    expect(await retryDelivery(story.db, untried.first, { force: false }, AUDIT)).toMatchObject({
      kind: 'done',
    });
    expect(await stateOf(story, untried.first)).toBe('held:circuit');
    expect(await expired()).toEqual([]);
  });

  it('is not saved by a failed probe, which asked about the consumer only', async () => {
    const { first } = await heldFor(0);
    await sql`update open_deliveries set state = 'queued', hold_reason = null where id = ${first}`.execute(
      story.db,
    );
    const [taken] = await take(story.db, [first]);
    if (taken?.kind !== 'taken') throw new Error('not taken');
    await record(story.db, [resultOf(taken, { hold: 'circuit', spendsAttempt: false })]);
    await hold(first, 9);
    expect(await expired()).toEqual([first]);
    expect(
      await story.db.selectFrom('deliveries').selectAll().where('id', '=', first).execute(),
    ).toMatchObject([{ attempts: 1, end_reason: 'held_too_long' }]);
  });

  it('waits while its consumer is paused, and the time of a pause does not count', async () => {
    const { recipient, first } = await heldFor(40);
    await pauseConsumer(story.db, recipient.id, 'maintenance', AUDIT);
    expect(await expired()).toEqual([]);
    await resumeConsumer(story.db, recipient.id, AUDIT);

    await hold(first, 11);
    await wasPaused(recipient, 5);
    expect(await expired()).toEqual([]);
    await hold(first, 13);
    expect(await expired()).toEqual([first]);
  });

  it('is not charged with an outage of ours, nor twice with what overlaps it', async () => {
    const { recipient, first } = await heldFor(33, { max_held_days: 30 });
    await story.app.get(SchedulesRepository, { strict: false }).noteOutage(daysAgo(25), daysAgo(20));
    expect(await expired()).toEqual([]);
    await sql`
      insert into standstills (consumer_id, cause, began_at, ended_at)
      values (${recipient.id}, 'paused', ${daysAgo(23)}, ${daysAgo(19)})`.execute(story.db);
    await hold(first, 35.9);
    expect(await expired()).toEqual([]);
    await hold(first, 36.1);
    expect(await expired()).toEqual([first]);
  });
});
