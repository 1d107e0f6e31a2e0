import { beforeEach, describe, expect, it } from 'vitest';
import {
  cancelDelivery,
  ConsumersRepository,
  pauseConsumer,
  retryDelivery,
  type AuditEntry,
  type Retried,
  type Transaction,
} from '#libs/database';
import { sql } from 'kysely';
import { Recipient, stateOf } from '#test/support/recipient';
import { startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { SteppedConnection } from '#test/support/stepped-work';
import { attempt, TestSession } from '#test/support/test-session';
import { endPending } from '../../libs/database/src/engine/end-pending.js';
import { reopen } from '../../libs/database/src/deliveries/cancel-and-retry.js';

const AUDIT: AuditEntry = { actor: 'ann', action: 'act', target: 'it', address: '127.0.0.1', details: {} };
const UNKNOWN_ID = '0199c2f2-7b5e-7c3a-8f00-000000000000';

const dispatcher = await startDispatcherInProcess();
let recipient: Recipient;

beforeEach(async () => {
  recipient = await Recipient.add(dispatcher);
});

const retry = (id: string, force = false): Promise<Retried> =>
  retryDelivery(dispatcher.db, id, { force }, AUDIT);
const cancel = (id: string) => cancelDelivery(dispatcher.db, id, AUDIT);
const state = (id: string): Promise<string> => stateOf(dispatcher, id);
const session = (): Promise<TestSession> => TestSession.open(dispatcher.pipeline, recipient.id);

const due = async (): Promise<string[]> => {
  const opened = await session();
  return (await opened.fetch()).map(({ id }) => id);
};

async function attemptsOf(id: string): Promise<number[]> {
  const rows = await dispatcher.db
    .selectFrom('attempts')
    .select('number')
    .where('delivery_id', '=', id)
    .orderBy('number')
    .execute();
  return rows.map((row) => row.number);
}

const pending = (id: string) =>
  dispatcher.db.selectFrom('pending_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('retry of a delivery', () => {
  it('a retry makes a dead delivery pending with the whole schedule, and its attempt numbers continue', async () => {
    const id = await recipient.accept('payment');
    await attempt(dispatcher.pipeline, id);
    await sql`update deliveries set created_at = created_at - interval '20 days' where id = ${id}`.execute(
      dispatcher.db,
    );
    expect(await retry(id)).toEqual({ kind: 'done', consumerId: recipient.id });
    const row = await pending(id);
    expect(row).toMatchObject({ schedule_step: 0, attempts: 1, last_outcome: 'http_status' });
    // Its maximum age counts from the retry, and the lists still show when it was created.
    expect(row.pending_since.getTime() - row.created_at.getTime()).toBeGreaterThan(19 * 86_400_000);
    expect(await attempt(dispatcher.pipeline, id, { state: 'delivered' })).toMatchObject({ attempts: 1 });
    expect([await state(id), await attemptsOf(id)]).toEqual(['delivered', [1, 2]]);
  });

  it('a retry makes a waiting delivery due now and keeps its step in the schedule', async () => {
    const id = await recipient.accept('payment');
    await attempt(dispatcher.pipeline, id, { retryInMs: 3_600_000, spendsAttempt: true });
    expect(await due()).toEqual([]);
    expect(await retry(id)).toMatchObject({ kind: 'done' });
    expect(await due()).toEqual([id]);
    expect(await pending(id)).toMatchObject({ schedule_step: 1 });
  });

  it('a retry of an overdue delivery keeps its place among the due deliveries', async () => {
    const [first = '', second = ''] = await recipient.acceptPayments(2);
    await retry(first);
    expect(await due()).toEqual([first, second]);
  });

  it('refuses to retry a delivered delivery without `force`', async () => {
    const id = await recipient.accept('payment');
    await attempt(dispatcher.pipeline, id, { state: 'delivered' });
    expect(await retry(id)).toEqual({ kind: 'delivered' });
    expect(await retry(id, true)).toMatchObject({ kind: 'done' });
    expect(await state(id)).toBe('queued');
  });

  it('a retried delivery of a paused consumer is held with the reason `paused`', async () => {
    const [id, dead] = [await recipient.accept('one'), await recipient.accept('other')];
    await attempt(dispatcher.pipeline, dead);
    await pauseConsumer(dispatcher.db, recipient.id, 'maintenance', AUDIT);
    for (const each of [id, dead]) {
      expect(await retry(each)).toMatchObject({ kind: 'done' });
      expect(await state(each)).toBe('held:paused');
    }
    expect(await due()).toEqual([]);
  });

  it('a retried delivery waits for an earlier pending status and holds the later ones', async () => {
    const [first, second, third] = [
      await recipient.accept('payment'),
      await recipient.accept('payment'),
      await recipient.accept('payment'),
    ];
    await attempt(dispatcher.pipeline, first);
    await attempt(dispatcher.pipeline, second);
    await retry(second);
    await retry(first);
    expect([await state(first), await state(second), await state(third)]).toEqual([
      'queued',
      'held:order',
      'held:order',
    ]);
    for (const id of [first, second, third]) {
      expect(await due()).toEqual([id]);
      await attempt(dispatcher.pipeline, id, { state: 'delivered' });
    }
  });

  it('refuses to retry a delivery that is unknown, whose consumer is removed, or whose event is gone', async () => {
    const [id, gone] = [await recipient.accept('one'), await recipient.accept('other')];
    await attempt(dispatcher.pipeline, id);
    await attempt(dispatcher.pipeline, gone);
    await sql`delete from events where id = (select event_id from deliveries where id = ${gone})`.execute(
      dispatcher.db,
    );
    expect(await retry(gone)).toEqual({ kind: 'event_gone' });
    await dispatcher.app.get(ConsumersRepository, { strict: false }).remove(recipient.id, AUDIT);
    expect(await retry(id)).toEqual({ kind: 'consumer_removed' });
    expect(await retry(UNKNOWN_ID)).toEqual({ kind: 'unknown' });
    expect([await state(id), await state(gone)]).toEqual(['dead', 'dead']);
  });
});

describe('cancellation of a delivery', () => {
  it('a cancellation ends a pending delivery and makes the next status due now', async () => {
    const [first, second] = [await recipient.accept('payment'), await recipient.accept('payment')];
    await sql`update pending_deliveries set next_attempt_at = now() + interval '5 minutes' where id = ${second}`.execute(
      dispatcher.db,
    );
    expect(await state(second)).toBe('held:order');
    expect(await cancel(first)).toEqual({ kind: 'done', consumerId: recipient.id });
    expect([await state(first), await state(second), await due()]).toEqual(['cancelled', 'queued', [second]]);
    const row = await dispatcher.db
      .selectFrom('deliveries')
      .select('end_reason')
      .where('id', '=', first)
      .executeTakeFirstOrThrow();
    expect(row.end_reason).toBe('cancelled_manually');
  });

  it('a cancellation in the middle of a payment does not change the other statuses', async () => {
    const [first, second, third] = [
      await recipient.accept('payment'),
      await recipient.accept('payment'),
      await recipient.accept('payment'),
    ];
    await cancel(second);
    expect([await state(first), await state(third)]).toEqual(['queued', 'held:order']);
  });

  it('a dead delivery can be cancelled once, and a retry reverses the cancellation', async () => {
    const id = await recipient.accept('payment');
    await attempt(dispatcher.pipeline, id);
    expect(await cancel(id)).toMatchObject({ kind: 'done' });
    expect(await cancel(id)).toEqual({ kind: 'already' });
    expect(await state(id)).toBe('cancelled');
    expect(await retry(id)).toMatchObject({ kind: 'done' });
    expect(await attempt(dispatcher.pipeline, id, { state: 'delivered' })).toMatchObject({ attempts: 1 });
  });

  it('a delivery that was delivered before it was sent again is delivered when it is cancelled, pending or dead', async () => {
    const [waiting, dead] = await recipient.acceptPayments(2);
    for (const id of [waiting ?? '', dead ?? '']) {
      await attempt(dispatcher.pipeline, id, { state: 'delivered' });
      await retry(id, true);
    }
    await attempt(dispatcher.pipeline, dead ?? '');
    expect([await state(waiting ?? ''), await state(dead ?? '')]).toEqual(['queued', 'dead']);
    for (const id of [waiting ?? '', dead ?? '']) {
      expect(await cancel(id)).toMatchObject({ kind: 'done' });
      expect(await state(id)).toBe('delivered');
      expect(await cancel(id)).toEqual({ kind: 'delivered' });
    }
  });

  it('refuses to cancel a delivery that is delivered or unknown', async () => {
    const id = await recipient.accept('payment');
    await attempt(dispatcher.pipeline, id, { state: 'delivered' });
    expect(await cancel(id)).toEqual({ kind: 'delivered' });
    expect(await cancel(UNKNOWN_ID)).toEqual({ kind: 'unknown' });
  });
});

it('a command finds a delivery that others end and open again five times while it waits for the lock', async () => {
  const id = await recipient.accept('payment');
  const connection = new SteppedConnection(dispatcher.databaseUrl, dispatcher.db);
  try {
    const waiting = connection.begin((db) => cancelDelivery(db, id, AUDIT));
    const move = (change: (trx: Transaction) => Promise<unknown>) =>
      dispatcher.db.transaction().execute(async (trx) => {
        await change(trx);
        expect(await waiting.advance()).toBe('blocked');
      });
    await waiting.pendingState();
    for (let time = 0; time < 5; time += 1) {
      await move((trx) => endPending(trx, [id], { state: 'dead', reason: 'pending_too_long' }));
      expect(await waiting.pendingState()).toBe('paused');
      await move((trx) => reopen(trx, [id]));
      expect(await waiting.pendingState()).toBe('paused');
    }
    expect(await waiting.finish()).toMatchObject({ kind: 'done' });
    expect(await state(id)).toBe('cancelled');
  } finally {
    await connection.close();
  }
});

it('audits a retry with the previous state of the delivery, and does not audit a refused cancellation', async () => {
  const id = await recipient.accept('payment');
  const entry = (action: string): AuditEntry => ({
    ...AUDIT,
    action,
    target: `delivery:${id}`,
    reason: 'why',
  });
  await attempt(dispatcher.pipeline, id);
  await retryDelivery(dispatcher.db, id, { force: false }, entry('delivery.retried'));
  await attempt(dispatcher.pipeline, id, { state: 'delivered' });
  await cancelDelivery(dispatcher.db, id, entry('delivery.cancelled'));
  const rows = await dispatcher.db
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
