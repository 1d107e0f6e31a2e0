import { beforeEach, expect, it } from 'vitest';
import { BulkActionsRepository, ConsumersReadingDatabase } from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { AUDIT, BulkRuns } from '#test/support/bulk-runs';
import { Recipient } from '#test/support/recipient';
import { SteppedConnection } from '#test/support/stepped-work';
import { startDispatcherInProcess } from '#test/support/dispatcher-in-process';

const dispatcher = await startDispatcherInProcess();
let recipient: Recipient;

const bulk = new BulkRuns(dispatcher);
beforeEach(async () => {
  recipient = await Recipient.add(dispatcher);
});

async function makeDead(count: number): Promise<string[]> {
  const ids = await recipient.acceptPayments(count);
  for (const id of ids) await bulk.attempt(id);
  return ids;
}

const writtenRows = async (): Promise<unknown> =>
  (
    await sql`select (select count(*) from bulk_actions) as actions, (select count(*) from audit_log) as entries`.execute(
      dispatcher.db,
    )
  ).rows;

it('a bulk action starts when as many deliveries match as the caller expects, or fewer', async () => {
  await makeDead(2);
  const filter = { consumerId: recipient.id, state: 'dead' } as const;
  for (const expected of [2, 3]) {
    expect(await bulk.startExpecting(expected, 'retry', filter)).toMatchObject({
      kind: 'started',
      row: { matched: 2, state: 'running' },
    });
  }
  await bulk.finish();
});

it('a bulk action is refused with the new count, and writes nothing, when more deliveries match than expected', async () => {
  await makeDead(3);
  const before = await writtenRows();
  expect(await bulk.startExpecting(2, 'replay', { consumerId: recipient.id, state: 'dead' })).toStrictEqual({
    kind: 'more-match',
    matched: 3,
    expectedCount: 2,
  });
  expect(await writtenRows()).toEqual(before);
});

it('a bulk action is refused when its deliveries cannot be counted within five seconds', async () => {
  await dispatcher.db.transaction().execute(async (trx) => {
    await sql`lock table deliveries in access exclusive mode`.execute(trx);
    // PostgreSQL ends a transaction of this pool that is idle for longer than three seconds.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
    expect(await bulk.startExpecting(2, 'replay', { consumerId: recipient.id, state: 'dead' })).toStrictEqual(
      { kind: 'more-match', matched: null, expectedCount: 2 },
    );
  });
});

it('a bulk action covers only what it has counted, and nothing accepted between its count and its start', async () => {
  await makeDead(1);
  const starting = new SteppedConnection(dispatcher.databaseUrl, dispatcher.db);
  const request = { id: uuidv7(), action: 'retry', filter: { consumerId: recipient.id } } as const;
  const consumersReading = dispatcher.app.get(ConsumersReadingDatabase, { strict: false });
  const work = starting.begin((db) =>
    new BulkActionsRepository(db, starting.reading, consumersReading).start(
      { ...request, reason: 'why', createdBy: 'ann' },
      AUDIT,
    ),
  );
  let pauses = 0;
  for (; (await work.advance()) === 'paused'; pauses += 1) await makeDead(1);
  expect(pauses).toBeGreaterThan(2);
  expect(await work.result).toMatchObject({ kind: 'started' });
  await starting.close();
  await bulk.finish();
  const { matched, processed } = (await bulk.actions.find(request.id)) ?? {};
  expect(matched).toBeLessThan(1 + pauses);
  expect(processed).toBe(matched);
});
