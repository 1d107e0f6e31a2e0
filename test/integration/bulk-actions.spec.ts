import { beforeEach, describe, expect, it } from 'vitest';
import { parkDeliveries, pauseConsumer, stepBulkAction } from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { AUDIT, BulkRuns } from '#test/support/bulk-runs';
import { Recipient, stateOf } from '#test/support/recipient';
import { SteppedConnection } from '#test/support/stepped-work';
import { startDispatcherInProcess } from '#test/support/dispatcher-in-process';

const dispatcher = await startDispatcherInProcess();
let recipient: Recipient;

const bulk = new BulkRuns(dispatcher);
beforeEach(async () => {
  recipient = await Recipient.add(dispatcher);
});

describe('replay of many deliveries', () => {
  it('a bulk replay restarts the schedule and the pending time of each delivery, and makes all of them due', async () => {
    const ids = await recipient.acceptPayments(3);
    await bulk.attempt(ids[0] ?? '', { retryInMs: 3_600_000, spendsAttempt: true });
    for (const id of ids.slice(1)) await bulk.attempt(id);
    await sql`update pending_deliveries set pending_since = now() - interval '13 days' where id = ${ids[0]}`.execute(
      dispatcher.db,
    );
    expect(await bulk.run('replay', { consumerId: recipient.id })).toMatchObject({ changed: 3 });
    const { rows } = await sql`
      select schedule_step, attempts, next_attempt_at <= now() as due, pending_since > now() - interval '1 minute' as anew
      from pending_deliveries where consumer_id = ${recipient.id}`.execute(dispatcher.db);
    expect(rows).toEqual(ids.map(() => ({ schedule_step: 0, attempts: 1, due: true, anew: true })));
  });

  it('a bulk replay keeps the order of each payment across its batches', async () => {
    const ids = [];
    for (let status = 0; status < 5; status += 1) {
      const id = await recipient.accept('payment');
      await bulk.attempt(id, { state: 'delivered' });
      ids.push(id);
    }
    await bulk.start('replay', { consumerId: recipient.id });
    const steps = await bulk.finish(2);
    expect(steps.map((step) => [step.changed, step.isFinished])).toEqual([
      [2, false],
      [2, false],
      [1, true],
    ]);
    expect(await bulk.states(ids)).toEqual(['queued', ...Array<string>(4).fill('held:order')]);
    for (const [index, id] of ids.entries()) {
      await bulk.attempt(id, { state: 'delivered' });
      expect(await bulk.states(ids.slice(index + 1, index + 2))).toEqual(
        index + 1 < ids.length ? ['queued'] : [],
      );
    }
  });

  it('a bulk replay holds the deliveries of a paused consumer as paused', async () => {
    const [id = ''] = await recipient.acceptPayments(1);
    await bulk.attempt(id);
    await pauseConsumer(dispatcher.db, recipient.id, 'maintenance', AUDIT);
    await bulk.run('replay', { consumerId: recipient.id });
    expect(await stateOf(dispatcher, id)).toBe('held:paused');
  });

  it('a bulk replay of 10,001 deliveries takes less than 20 seconds', async () => {
    const [id = ''] = await recipient.acceptPayments(1);
    await bulk.attempt(id);
    await sql`
      insert into deliveries (id, event_id, consumer_id, event_type, payment_id, number, status, state, attempts,
                              created_at, finished_at)
      select overlay(gen_random_uuid()::text placing left(d.id::text, 8) from 1 for 8)::uuid, event_id, consumer_id,
             event_type, payment_id || n, 1, status, 'dead', 1, created_at, finished_at
      from deliveries d, generate_series(1, 10000) n where d.id = ${id}`.execute(dispatcher.db);
    await sql`update deliveries set created_at = now() where consumer_id = ${recipient.id}`.execute(
      dispatcher.db,
    );
    const { id: action } = await bulk.start('replay', { consumerId: recipient.id });
    // Generated ids lie anywhere in the partition of the week. Some are greater than the newest real id.
    await sql`update bulk_actions set newest_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff' where id = ${action}`.execute(
      dispatcher.db,
    );
    const startedAt = performance.now();
    await bulk.finish();
    expect(await bulk.actions.find(action)).toMatchObject({ changed: 10_001 });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    await sql`delete from pending_deliveries where consumer_id = ${recipient.id}`.execute(dispatcher.db);
  });
});

describe('cancellation of many deliveries', () => {
  it('a bulk cancellation ends all statuses of a payment across its batches', async () => {
    const ids = [];
    for (let status = 0; status < 5; status += 1) ids.push(await recipient.accept('payment'));
    await bulk.start('cancel', { consumerId: recipient.id });
    const steps = await bulk.finish(2);
    expect(steps.map((step) => step.changed)).toEqual([2, 2, 1]);
    expect(await bulk.states(ids)).toEqual(Array(5).fill('cancelled'));
  });

  it('a bulk cancellation releases a status that waited for a cancelled one and is not covered itself', async () => {
    const [first, second] = [await recipient.accept('payment'), await recipient.accept('payment')];
    await sql`update pending_deliveries set next_attempt_at = now() + interval '1 hour' where id = ${second}`.execute(
      dispatcher.db,
    );
    await bulk.start('cancel', { consumerId: recipient.id, state: 'queued' });
    const [step] = await bulk.finish();
    expect(step?.consumerIds).toEqual([recipient.id]);
    expect(await bulk.states([first, second])).toEqual(['cancelled', 'queued']);
    await bulk.attempt(second, { state: 'delivered' });
  });
});

describe('retry of many deliveries', () => {
  it('a bulk retry skips a delivery that is due and a delivery that waits for an earlier status', async () => {
    const [first, second] = [await recipient.accept('payment'), await recipient.accept('payment')];
    await bulk.attempt(first, { retryInMs: 3_600_000, spendsAttempt: true });
    await parkDeliveries(dispatcher.pipeline, [{ id: second, blockedBy: first }]);
    await recipient.accept('another');
    expect(await bulk.run('retry', { consumerId: recipient.id })).toMatchObject({ changed: 1, skipped: 2 });
    const { rows } = await sql`
      select next_attempt_at <= now() as due from pending_deliveries where consumer_id = ${recipient.id}
      order by id`.execute(dispatcher.db);
    expect(rows).toEqual([{ due: true }, { due: false }, { due: true }]);
  });
});

describe('progress of a bulk action', () => {
  it('a bulk action continues where its worker died: the open batch is undone and nothing is done twice', async () => {
    const ids = await recipient.acceptPayments(4);
    for (const id of ids) await bulk.attempt(id);
    const { id } = await bulk.start('replay', { consumerId: recipient.id });
    expect(await stepBulkAction(dispatcher.db, 2)).toMatchObject({ changed: 2, isFinished: false });
    const dyingWorker = new SteppedConnection(dispatcher.databaseUrl, dispatcher.db);
    const work = dyingWorker.begin((db) => stepBulkAction(db, 2));
    work.result.catch(() => undefined);
    for (let statement = 0; statement < 7; statement += 1) expect(await work.advance()).toBe('paused');
    // Another worker skips the action while the first one holds it.
    expect(await stepBulkAction(dispatcher.db, 2)).toBeUndefined();
    // PostgreSQL closes the connection before it releases the locks: waits until the backend is gone, at most 60 s.
    await sql`
      select pg_terminate_backend(pid, 60000) from pg_stat_activity
      where application_name like 'stepped-%' and datname = current_database()`.execute(dispatcher.db);
    await work.advance();
    await expect(work.result).rejects.toThrow(/terminat|ECONNRESET|not queryable/i);
    await bulk.finish(2);
    expect(await bulk.actions.find(id)).toMatchObject({
      state: 'finished',
      processed: 4,
      changed: 4,
      skipped: 0,
    });
    const rows = await dispatcher.db
      .selectFrom('pending_deliveries')
      .select(['schedule_step', 'attempts'])
      .where('consumer_id', '=', recipient.id)
      .execute();
    expect(rows).toEqual(ids.map(() => ({ schedule_step: 0, attempts: 1 })));
    await dyingWorker.close().catch(() => undefined);
  });

  it('a stopped bulk action changes no further delivery, and its earlier changes remain', async () => {
    const ids = await recipient.acceptPayments(4);
    for (const id of ids) await bulk.attempt(id);
    const { id } = await bulk.start('retry', { consumerId: recipient.id });
    await stepBulkAction(dispatcher.db, 2);
    const stopped = await bulk.actions.stop(id, { ...AUDIT, action: 'bulk-action.stopped' });
    expect(stopped).toMatchObject({ state: 'stopped', processed: 2, matched: 4 });
    expect(await bulk.finish()).toEqual([]);
    expect(await bulk.actions.stop(id, AUDIT)).toMatchObject({ state: 'stopped', processed: 2 });
    expect((await bulk.states(ids)).filter((state) => state === 'dead')).toEqual(['dead', 'dead']);
  });

  it('bulk actions that run at the same time take turns', async () => {
    const ids = await recipient.acceptPayments(4);
    for (const id of ids) await bulk.attempt(id);
    const one = await bulk.start('retry', { consumerId: recipient.id });
    const other = await bulk.start('cancel', { consumerId: recipient.id, notificationId: uuidv7() });
    const steps = await bulk.finish(2);
    expect(steps.map((step) => step.id)).toEqual([one.id, other.id, one.id, one.id]);
  });

  it('the audit log records the start and the end of a bulk action', async () => {
    const since = await sql<{ id: string }>`select coalesce(max(id), 0) as id from audit_log`.execute(
      dispatcher.db,
    );
    const { id } = await bulk.start('retry', { consumerId: recipient.id });
    await bulk.finish();
    const entries = await dispatcher.db
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
