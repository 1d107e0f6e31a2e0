import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BulkActionKind } from '#libs/contracts';
import {
  BulkActionsRepository,
  ConsumersRepository,
  pauseConsumer,
  record,
  stepBulkAction,
  take,
  topUp,
  type AttemptResult,
  type AuditEntry,
  type BulkActionRow,
  type BulkFilter,
  type BulkStep,
} from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { Recipient, resultOf, stateOf } from '#test/support/recipient';
import { SteppedConnection } from '#test/support/stepped-work';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';

const AUDIT: AuditEntry = {
  actor: 'ann',
  action: 'bulk-action.started',
  target: 'bulk',
  address: null,
  details: {},
};

let story: StoryInProcess;
let actions: BulkActionsRepository;
let recipient: Recipient;

beforeAll(async () => {
  story = await startStoryInProcess();
  actions = story.app.get(BulkActionsRepository, { strict: false });
});
afterAll(() => story.close());
beforeEach(async () => {
  recipient = await Recipient.add(story);
});

const state = (id: string): Promise<string> => stateOf(story, id);
const states = (ids: readonly string[]): Promise<string[]> => Promise.all(ids.map(state));

async function end(id: string, next: AttemptResult['next'] = { state: 'dead' }): Promise<void> {
  const [of] = await take(story.db, [id]);
  if (of?.kind !== 'taken') throw new Error(`not taken: ${JSON.stringify(of)}`);
  await record(story.db, [resultOf(of, next)]);
}

const start = (action: BulkActionKind, filter: BulkFilter): Promise<BulkActionRow> =>
  actions.start({ id: uuidv7(), action, filter, reason: 'why', createdBy: 'ann' }, AUDIT);

/** Carries out whatever runs, in batches of so many. */
async function finish(limit = 400): Promise<BulkStep[]> {
  const steps: BulkStep[] = [];
  for (;;) {
    const step = await stepBulkAction(story.db, limit);
    if (step === undefined) return steps;
    steps.push(step);
    await topUp(story.db, step.atGateOf);
  }
}

async function run(action: BulkActionKind, filter: BulkFilter): Promise<BulkActionRow | undefined> {
  const { id } = await start(action, filter);
  await finish();
  return actions.find(id);
}

/** One delivery in each state that an action may meet. */
async function oneOfEach() {
  const [queued, due, sending, delivered, dead, cancelled] = await recipient.acceptPayments(6);
  const all = {
    queued: queued ?? '',
    due: due ?? '',
    sending: sending ?? '',
    delivered: delivered ?? '',
    dead: dead ?? '',
    cancelled: cancelled ?? '',
  };
  await end(all.queued, { retryInMs: 3_600_000 });
  await take(story.db, [all.sending]);
  await end(all.delivered, { state: 'delivered' });
  await end(all.dead);
  await end(all.cancelled);
  await sql`update deliveries set state = 'cancelled' where id = ${all.cancelled}`.execute(story.db);
  return all;
}

describe('which deliveries it covers:', () => {
  it.each<{
    action: BulkActionKind;
    filter: BulkFilter;
    counts: object;
    ends: Record<string, string>;
  }>([
    {
      action: 'retry',
      filter: {},
      counts: { matched: 4, processed: 4, changed: 2, skipped: 2 },
      ends: {
        queued: 'queued',
        due: 'queued',
        dead: 'queued',
        delivered: 'delivered',
        cancelled: 'cancelled',
      },
    },
    {
      action: 'retry',
      filter: { state: 'cancelled' },
      counts: { matched: 1, processed: 1, changed: 1, skipped: 0 },
      ends: { dead: 'dead', delivered: 'delivered', cancelled: 'queued' },
    },
    {
      action: 'replay',
      filter: {},
      counts: { matched: 6, processed: 6, changed: 5, skipped: 1 },
      ends: { queued: 'queued', due: 'queued', dead: 'queued', delivered: 'queued', cancelled: 'queued' },
    },
    {
      action: 'replay',
      filter: { state: 'delivered' },
      counts: { matched: 1, processed: 1, changed: 1, skipped: 0 },
      ends: { dead: 'dead', delivered: 'queued', cancelled: 'cancelled' },
    },
    {
      action: 'cancel',
      filter: {},
      counts: { matched: 4, processed: 4, changed: 3, skipped: 1 },
      ends: {
        queued: 'cancelled',
        due: 'cancelled',
        dead: 'cancelled',
        delivered: 'delivered',
        cancelled: 'cancelled',
      },
    },
  ])('$action of $filter', async ({ action, filter, counts, ends }) => {
    const all = await oneOfEach();
    const before = await sql<{
      lease: number;
    }>`select lease from open_deliveries where id = ${all.sending}`.execute(story.db);
    expect(await run(action, { consumerId: recipient.id, ...filter })).toMatchObject({
      state: 'finished',
      ...counts,
    });
    const seen = Object.fromEntries(
      await Promise.all(Object.entries(all).map(async ([name, id]) => [name, await state(id)])),
    );
    expect(seen).toMatchObject({ ...ends, sending: 'sending' });
    const after = await sql`select lease from open_deliveries where id = ${all.sending}`.execute(story.db);
    expect(after.rows).toEqual(before.rows);
  });

  it('every field of the filter narrows it', async () => {
    const other = await Recipient.add(story);
    const [one = '', two = ''] = await recipient.acceptPayments(2);
    const foreign = await other.accept('payment');
    for (const id of [one, two, foreign]) await end(id);
    const row = await story.db
      .selectFrom('deliveries')
      .selectAll()
      .where('id', '=', one)
      .executeTakeFirstOrThrow();
    const own: BulkFilter = {
      consumerId: recipient.id,
      paymentId: row.payment_id ?? '',
      notificationId: row.event_id,
      eventType: 'ach.status',
      outcome: 'http_status',
      httpStatus: 500,
      state: 'dead',
      from: new Date(row.created_at.getTime() - 1_000).toISOString(),
      to: new Date(row.created_at.getTime() + 60_000).toISOString(),
    };
    expect(await actions.count('retry', own)).toBe(1);
    expect(await actions.count('retry', { ...own, httpStatus: 404 })).toBe(0);
    expect(await actions.count('retry', { ...own, to: own.from ?? '' })).toBe(0);
    expect(await run('retry', own)).toMatchObject({ changed: 1 });
    expect(await states([one, two, foreign])).toEqual(['queued', 'dead', 'dead']);
  });

  it('none that is made after its start', async () => {
    const [before = ''] = await recipient.acceptPayments(1);
    await end(before);
    await start('retry', { consumerId: recipient.id });
    const [after = ''] = await recipient.acceptPayments(1);
    await end(after);
    await finish();
    expect(await states([before, after])).toEqual(['queued', 'dead']);
  });

  it('none of a removed consumer, and none whose event is no longer kept', async () => {
    const other = await Recipient.add(story);
    const [lost = '', foreign] = [await recipient.accept('payment'), await other.accept('payment')];
    for (const id of [lost, foreign]) await end(id);
    await sql`delete from events where id = (select event_id from deliveries where id = ${lost})`.execute(
      story.db,
    );
    await story.app.get(ConsumersRepository, { strict: false }).remove(other.id, AUDIT);
    for (const filter of [{ consumerId: recipient.id }, { consumerId: other.id }]) {
      expect(await run('replay', filter)).toMatchObject({ processed: 1, changed: 0, skipped: 1 });
    }
    expect(await states([lost, foreign])).toEqual(['dead', 'dead']);
  });
});

describe('a replay', () => {
  it('gives what is open the whole schedule, and lets no more go than a window', async () => {
    await recipient.limitTo(3);
    const ids = await recipient.acceptPayments(3);
    await end(ids[0] ?? '', { retryInMs: 3_600_000 });
    for (const id of ids.slice(1)) await end(id);
    ids.push(...(await recipient.acceptPayments(4)));
    for (const id of ids.slice(3)) {
      await topUp(story.db, [recipient.id]);
      await end(id);
    }
    expect(await run('replay', { consumerId: recipient.id })).toMatchObject({ changed: 7 });
    const rows = await story.db
      .selectFrom('open_deliveries')
      .select(['id', 'state', 'hold_reason', 'schedule_step', 'attempts'])
      .where('consumer_id', '=', recipient.id)
      .orderBy('id')
      .execute();
    expect(rows.map((row) => row.state)).toEqual([
      ...Array<string>(3).fill('queued'),
      ...Array<string>(4).fill('held'),
    ]);
    expect(rows.slice(3).every((row) => row.hold_reason === 'concurrency')).toBe(true);
    expect(rows.every((row) => row.schedule_step === 0 && row.attempts === 1)).toBe(true);
  });

  it('keeps each payment’s order, over batches too', async () => {
    const ids = [];
    for (let status = 0; status < 5; status += 1) {
      const id = await recipient.accept('payment');
      await end(id, { state: 'delivered' });
      ids.push(id);
    }
    await start('replay', { consumerId: recipient.id });
    const steps = await finish(2);
    expect(steps.map((step) => [step.changed, step.isFinished])).toEqual([
      [2, false],
      [2, false],
      [1, true],
    ]);
    expect(await states(ids)).toEqual(['queued', ...Array<string>(4).fill('held:order')]);
    for (const [index, id] of ids.entries()) {
      await end(id, { state: 'delivered' });
      const next = ids[index + 1];
      if (next !== undefined) expect(await state(next)).toBe('queued');
    }
  });

  it('waits at a closed gate, and shows its reason', async () => {
    const [id = ''] = await recipient.acceptPayments(1);
    await end(id);
    await pauseConsumer(story.db, recipient.id, 'maintenance', AUDIT);
    await run('replay', { consumerId: recipient.id });
    expect(await state(id)).toBe('held:paused');
  });

  it('of thousands takes seconds', async () => {
    const [id = ''] = await recipient.acceptPayments(1);
    await end(id);
    await sql`
      insert into deliveries (id, event_id, consumer_id, event_type, payment_id, number, state, attempts, lease, round,
                              created_at, finished_at)
      select overlay(gen_random_uuid()::text placing left(d.id::text, 8) from 1 for 8)::uuid, event_id, consumer_id,
             event_type, payment_id || n, 1, 'dead', 1, 1, 0, created_at, finished_at
      from deliveries d, generate_series(1, 10000) n where d.id = ${id}`.execute(story.db);
    await sql`update deliveries set created_at = now() where consumer_id = ${recipient.id}`.execute(story.db);
    const { id: action } = await start('replay', { consumerId: recipient.id });
    // Made-up ids lie anywhere in the week's partition, some of them ahead of the newest real one.
    await sql`update bulk_actions set newest_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff' where id = ${action}`.execute(
      story.db,
    );
    const startedAt = performance.now();
    await finish();
    expect(await actions.find(action)).toMatchObject({ changed: 10_001 });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    await sql`delete from open_deliveries where consumer_id = ${recipient.id}`.execute(story.db);
  }, 60_000);
});

describe('a cancellation of many', () => {
  it('lets nothing go that it is about to cancel', async () => {
    const ids = [];
    for (let status = 0; status < 5; status += 1) ids.push(await recipient.accept('payment'));
    await start('cancel', { consumerId: recipient.id });
    const steps = await finish(2);
    expect(steps.flatMap((step) => step.released)).toEqual([]);
    expect(await states(ids)).toEqual(Array(5).fill('cancelled'));
  });

  it('lets go what it does not cover and what waited for it', async () => {
    const [first, second] = [await recipient.accept('payment'), await recipient.accept('payment')];
    await start('cancel', { consumerId: recipient.id, state: 'queued' });
    const [step] = await finish();
    expect(step?.released.map(({ deliveryId }) => deliveryId)).toEqual([second]);
    expect(await states([first, second])).toEqual(['cancelled', 'queued']);
  });
});

describe('it goes on', () => {
  it('exactly where a worker died: the batch under way is undone, and nothing is done twice', async () => {
    const ids = await recipient.acceptPayments(4);
    for (const id of ids) await end(id);
    const { id } = await start('replay', { consumerId: recipient.id });
    expect(await stepBulkAction(story.db, 2)).toMatchObject({ changed: 2, isFinished: false });
    const dying = new SteppedConnection(story.databaseUrl, story.db);
    const work = dying.begin((db) => stepBulkAction(db, 2));
    work.result.catch(() => undefined);
    for (let statement = 0; statement < 6; statement += 1) expect(await work.advance()).toBe('paused');
    // Another worker finds it in good hands.
    expect(await stepBulkAction(story.db, 2)).toBeUndefined();
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'stepped-%' and datname = current_database()`.execute(story.db);
    await work.advance();
    await expect(work.result).rejects.toThrow();
    await finish(2);
    expect(await actions.find(id)).toMatchObject({ state: 'finished', processed: 4, changed: 4, skipped: 0 });
    const rows = await story.db
      .selectFrom('open_deliveries')
      .select(['lease', 'attempts'])
      .where('consumer_id', '=', recipient.id)
      .execute();
    expect(rows).toEqual(Array(4).fill({ lease: 1, attempts: 1 }));
    await dying.close().catch(() => undefined);
  });

  it('not after it is stopped; what is done stays done', async () => {
    const ids = await recipient.acceptPayments(4);
    for (const id of ids) await end(id);
    const { id } = await start('retry', { consumerId: recipient.id });
    await stepBulkAction(story.db, 2);
    const stopped = await actions.stop(id, { ...AUDIT, action: 'bulk-action.stopped' });
    expect(stopped).toMatchObject({ state: 'stopped', processed: 2, matched: 4 });
    expect(await finish()).toEqual([]);
    expect(await actions.stop(id, AUDIT)).toMatchObject({ state: 'stopped', processed: 2 });
    expect((await states(ids)).filter((each) => each === 'dead')).toEqual(['dead', 'dead']);
  });

  it('beside others, in turn', async () => {
    const ids = await recipient.acceptPayments(4);
    for (const id of ids) await end(id);
    const one = await start('retry', { consumerId: recipient.id });
    const other = await start('cancel', { consumerId: recipient.id, notificationId: uuidv7() });
    const steps = await finish(2);
    expect(steps.map((step) => step.id)).toEqual([one.id, other.id, one.id, one.id]);
  });

  it('and its start, stop and end stand in the audit log', async () => {
    const since = await sql<{ id: string }>`select coalesce(max(id), 0) as id from audit_log`.execute(
      story.db,
    );
    const { id } = await start('retry', { consumerId: recipient.id });
    await finish();
    const entries = await story.db
      .selectFrom('audit_log')
      .select(['actor', 'action', 'target', 'details'])
      .where('id', '>', since.rows[0]?.id ?? '0')
      .orderBy('id')
      .execute();
    expect(entries).toEqual([
      { actor: 'ann', action: 'bulk-action.started', target: 'bulk', details: { matched: 0 } },
      {
        actor: 'dispatcher',
        action: 'bulk-action.finished',
        target: `bulk-action:${id}`,
        details: { action: 'retry', processed: 0, changed: 0, skipped: 0 },
      },
    ]);
  });
});
