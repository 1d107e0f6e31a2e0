import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BulkActionsRepository } from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { AUDIT, BulkRuns } from '#test/support/bulk-runs';
import { Recipient } from '#test/support/recipient';
import { SteppedConnection } from '#test/support/stepped-work';
import { startDispatcherInProcess, type DispatcherInProcess } from '#test/support/dispatcher-in-process';

let dispatcher: DispatcherInProcess;
let bulk: BulkRuns;
let recipient: Recipient;

beforeAll(async () => {
  dispatcher = await startDispatcherInProcess();
  bulk = new BulkRuns(dispatcher);
});
afterAll(() => dispatcher.close());
beforeEach(async () => {
  recipient = await Recipient.add(dispatcher);
});

async function dead(count: number): Promise<string[]> {
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

describe('a bulk action that is started with the count that somebody has seen', () => {
  it('starts when exactly so many match, and when fewer do', async () => {
    await dead(2);
    const filter = { consumerId: recipient.id, state: 'dead' } as const;
    for (const expected of [2, 3]) {
      expect(await bulk.startExpecting(expected, 'retry', filter)).toMatchObject({
        kind: 'started',
        row: { matched: 2, state: 'running' },
      });
    }
    await bulk.finish();
  });

  it('is refused with the new count when more match, and leaves no trace', async () => {
    await dead(3);
    const before = await writtenRows();
    expect(await bulk.startExpecting(2, 'replay', { consumerId: recipient.id, state: 'dead' })).toStrictEqual(
      { kind: 'more-match', matched: 3, expectedCount: 2 },
    );
    expect(await writtenRows()).toEqual(before);
  });

  it('is refused when the deliveries cannot be counted within five seconds', async () => {
    await dispatcher.db.transaction().execute(async (trx) => {
      await sql`lock table deliveries in access exclusive mode`.execute(trx);
      // Our own transactions are ended when they stand still for longer than three seconds.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      expect(
        await bulk.startExpecting(2, 'replay', { consumerId: recipient.id, state: 'dead' }),
      ).toStrictEqual({ kind: 'more-match', matched: null, expectedCount: 2 });
    });
  });

  it('covers what it has counted, and nothing that is accepted between its count and its start', async () => {
    await dead(1);
    const starting = new SteppedConnection(dispatcher.databaseUrl, dispatcher.db);
    const order = { id: uuidv7(), action: 'retry', filter: { consumerId: recipient.id } } as const;
    const work = starting.begin((db) =>
      new BulkActionsRepository(db, starting.reading).start(
        { ...order, reason: 'why', createdBy: 'ann' },
        AUDIT,
      ),
    );
    let halts = 0;
    for (; (await work.advance()) === 'paused'; halts += 1) await dead(1);
    expect(halts).toBeGreaterThan(2);
    expect(await work.result).toMatchObject({ kind: 'started' });
    await starting.close();
    await bulk.finish();
    const { matched, processed } = (await bulk.actions.find(order.id)) ?? {};
    expect(matched).toBeLessThan(1 + halts);
    expect(processed).toBe(matched);
  });
});
