import { beforeAll, beforeEach, expect, it } from 'vitest';
import { stepBulkAction } from '#libs/database';
import { sql } from 'kysely';
import { BulkRuns } from '#test/support/bulk-runs';
import { Recipient } from '#test/support/recipient';
import { startDispatcherInProcess } from '#test/support/dispatcher-in-process';

const dispatcher = await startDispatcherInProcess();
let bulk: BulkRuns;
let broken: Recipient;
let working: Recipient;

beforeAll(async () => {
  bulk = new BulkRuns(dispatcher);
  await sql`
    create table refused (consumer_id uuid primary key, code text not null)`.execute(dispatcher.db);
  await sql`
    create function refuse() returns trigger language plpgsql as $$
    declare
      refused_with text := (select code from refused where consumer_id = new.consumer_id);
    begin
      if refused_with is not null then
        raise exception 'no, account 4711' using errcode = refused_with;
      end if;
      return new;
    end $$`.execute(dispatcher.db);
  await sql`
    create trigger refuse before insert on pending_deliveries for each row execute function refuse()`.execute(
    dispatcher.db,
  );
});
beforeEach(async () => {
  [broken, working] = [await Recipient.add(dispatcher), await Recipient.add(dispatcher)];
  for (const recipient of [broken, working]) {
    for (const id of await recipient.acceptPayments(3)) await bulk.attempt(id);
  }
});

/** Makes PostgreSQL refuse, with this code, to make a delivery of the broken recipient pending again. */
const refuse = (code: string): Promise<unknown> =>
  sql`insert into refused values (${broken.id}, ${code})`.execute(dispatcher.db);

/** Dates the last step of the action back, so that its next try is due. */
const endRetryDelay = (id: string): Promise<unknown> =>
  sql`update bulk_actions set stepped_at = stepped_at - interval '1 minute' where id = ${id}`.execute(
    dispatcher.db,
  );

it('a failing bulk action blocks no other, shows a fault without PostgreSQL’s text, and continues later', async () => {
  await refuse('XX000');
  const failing = await bulk.start('retry', { consumerId: broken.id });
  const other = await bulk.start('retry', { consumerId: working.id });
  const fault = 'PostgreSQL refused a step, with the code XX000.';
  expect(await stepBulkAction(dispatcher.db, 2)).toEqual({
    kind: 'failed',
    id: failing.id,
    fault,
    hasEnded: false,
  });
  // The failing action has no second turn before the other action has finished.
  expect((await bulk.finish(2)).map(({ id }) => id)).toEqual([other.id, other.id]);
  expect(await bulk.actions.find(other.id)).toMatchObject({ state: 'finished', changed: 3 });
  expect(await bulk.actions.find(failing.id)).toMatchObject({
    state: 'running',
    last_fault: fault,
    failures: 1,
    processed: 0,
  });

  await sql`delete from refused`.execute(dispatcher.db);
  await endRetryDelay(failing.id);
  expect(await stepBulkAction(dispatcher.db, 2)).toMatchObject({ kind: 'done', changed: 2 });
  expect(await bulk.actions.find(failing.id)).toMatchObject({ last_fault: null, failures: 0 });
  await bulk.finish();
  expect(await bulk.actions.find(failing.id)).toMatchObject({ state: 'finished', changed: 3 });
});

it('a bulk action ends as failed after ten failed steps in a row, and the audit log records it', async () => {
  // PostgreSQL reports this code for a statement that exceeds its time limit.
  await refuse('57014');
  const { id } = await bulk.start('replay', { consumerId: broken.id });
  for (let failures = 1; failures < 10; failures += 1) {
    expect(await stepBulkAction(dispatcher.db, 2)).toMatchObject({ kind: 'failed', id, hasEnded: false });
    expect(await bulk.actions.find(id)).toMatchObject({ state: 'running', failures });
    await endRetryDelay(id);
  }
  expect(await stepBulkAction(dispatcher.db, 2)).toMatchObject({ kind: 'failed', id, hasEnded: true });
  const fault = 'A step took longer than PostgreSQL may take for a statement.';
  expect(await bulk.actions.find(id)).toMatchObject({
    state: 'failed',
    last_fault: fault,
    finished_at: expect.any(Date),
  });
  await endRetryDelay(id);
  expect(await stepBulkAction(dispatcher.db, 2)).toBeUndefined();
  const entries = await dispatcher.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .where('target', '=', `bulk-action:${id}`)
    .execute();
  expect(entries).toEqual([
    {
      actor: 'dispatcher',
      action: 'bulk-action.failed',
      details: { action: 'replay', fault, failures: 10, processed: 0, changed: 0, skipped: 0 },
    },
  ]);
});

it('a bulk action does not count an unavailable PostgreSQL as a failure of its own', async () => {
  await refuse('57P03');
  const { id } = await bulk.start('retry', { consumerId: broken.id });
  await expect(stepBulkAction(dispatcher.db, 2)).rejects.toMatchObject({ code: '57P03' });
  expect(await bulk.actions.find(id)).toMatchObject({ state: 'running', failures: 0, last_fault: null });
  await sql`delete from refused`.execute(dispatcher.db);
  await bulk.finish();
});
