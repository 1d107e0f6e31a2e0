import { beforeEach, expect, it } from 'vitest';
import type { BulkActionKind, DeliveryFilter } from '#libs/contracts';
import { ConsumersRepository, DeliveriesRepository, WorkersRepository } from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { AUDIT, BulkRuns } from '#test/support/bulk-runs';
import { Recipient } from '#test/support/recipient';
import { startDispatcherInProcess } from '#test/support/dispatcher-in-process';

const dispatcher = await startDispatcherInProcess();
let recipient: Recipient;

const bulk = new BulkRuns(dispatcher);
const deliveries = new DeliveriesRepository(dispatcher.reading, dispatcher.db);
beforeEach(async () => {
  recipient = await Recipient.add(dispatcher);
});

/** Reports, as a worker does, that this delivery is being sent. */
const reportSending = (deliveryId: string): Promise<void> =>
  dispatcher.app.get(WorkersRepository, { strict: false }).beat({
    id: uuidv7(),
    host: 'here',
    pid: 1,
    concurrency: 1,
    sending: [deliveryId],
    sessions: [recipient.id],
    lasting: 0,
    atLimit: [],
  });

/** The deliveries that a bulk action can meet, and the state of each. */
const STATES = {
  queued: 'queued',
  due: 'queued',
  sending: 'sending',
  delivered: 'delivered',
  dead: 'dead',
  settled: 'dead, settled',
  cancelled: 'cancelled',
} as const;
type Name = keyof typeof STATES;

/** Makes one of each. */
async function deliveryInEachState(): Promise<ReadonlyMap<Name, string>> {
  const [queued = '', due = '', sending = '', delivered = '', dead = '', settled = '', cancelled = ''] =
    await recipient.acceptPayments(7);
  await bulk.attempt(settled);
  await bulk.run('settle', { consumerId: recipient.id });
  await bulk.attempt(queued, { retryInMs: 3_600_000, spendsAttempt: true });
  await reportSending(sending);
  await bulk.attempt(delivered, { state: 'delivered' });
  await bulk.attempt(dead);
  await bulk.attempt(cancelled);
  await sql`update deliveries set state = 'cancelled' where id = ${cancelled}`.execute(dispatcher.db);
  return new Map<Name, string>([
    ['queued', queued],
    ['due', due],
    ['sending', sending],
    ['delivered', delivered],
    ['dead', dead],
    ['settled', settled],
    ['cancelled', cancelled],
  ]);
}

/** What an action makes of a delivery that it changes. */
const AFTER: Readonly<Record<BulkActionKind, string>> = {
  retry: 'queued',
  replay: 'queued',
  cancel: 'cancelled',
  settle: 'dead, settled',
};

const OPEN = ['queued', 'due', 'sending', 'dead'] as const;
it.each<{ action: BulkActionKind; filter: DeliveryFilter; covers: readonly Name[]; skips?: readonly Name[] }>(
  [
    { action: 'retry', filter: {}, covers: OPEN, skips: ['due', 'sending'] },
    { action: 'retry', filter: { state: 'cancelled' }, covers: ['cancelled'] },
    { action: 'retry', filter: { state: 'sending' }, covers: ['sending'], skips: ['sending'] },
    { action: 'retry', filter: { settled: true }, covers: ['settled'] },
    { action: 'replay', filter: {}, covers: [...OPEN, 'delivered', 'settled', 'cancelled'] },
    { action: 'replay', filter: { state: 'delivered' }, covers: ['delivered'] },
    { action: 'replay', filter: { state: 'dead' }, covers: ['dead'] },
    { action: 'replay', filter: { settled: true }, covers: ['settled'] },
    { action: 'replay', filter: { delivered: false }, covers: OPEN },
    { action: 'replay', filter: { delivered: false, state: 'cancelled' }, covers: ['cancelled'] },
    { action: 'replay', filter: { delivered: true }, covers: ['delivered'] },
    { action: 'replay', filter: { openOrDelivered: true }, covers: [...OPEN, 'delivered'] },
    { action: 'settle', filter: {}, covers: ['dead'] },
    { action: 'settle', filter: { settled: true }, covers: [] },
    { action: 'cancel', filter: {}, covers: OPEN },
    { action: 'cancel', filter: { state: 'dead' }, covers: ['dead'] },
    { action: 'cancel', filter: { settled: true }, covers: ['settled'] },
  ],
)('a bulk $action with $filter covers only $covers, and skips $skips', async (row) => {
  const { action, filter, covers, skips = [] } = row;
  const all = await deliveryInEachState();
  expect(await bulk.run(action, { consumerId: recipient.id, ...filter })).toMatchObject({
    state: 'finished',
    matched: covers.length,
    processed: covers.length,
    changed: covers.length - skips.length,
    skipped: skips.length,
  });
  for (const [name, id] of all) {
    const found = await deliveries.find(id);
    const state = `${found?.state ?? ''}${found?.settled_at == null ? '' : ', settled'}`;
    const isChanged = covers.includes(name) && !skips.includes(name);
    // A worker still reports that it sends it.
    const isSending = name === 'sending' && AFTER[action] === 'queued';
    expect([name, state]).toEqual([name, isChanged && !isSending ? AFTER[action] : STATES[name]]);
  }
});

it('a bulk action covers only deliveries that match every field of its filter', async () => {
  const other = await Recipient.add(dispatcher);
  const [one = '', two = ''] = await recipient.acceptPayments(2);
  const foreign = await other.accept('payment');
  for (const id of [one, two, foreign]) await bulk.attempt(id);
  const row = await dispatcher.db
    .selectFrom('deliveries')
    .selectAll()
    .where('id', '=', one)
    .executeTakeFirstOrThrow();
  const own: DeliveryFilter = {
    consumerId: recipient.id,
    paymentId: row.payment_id ?? '',
    notificationId: row.event_id,
    eventType: 'ach.status',
    outcome: 'http_status',
    httpStatus: 500,
    state: 'dead',
    settled: false,
    delivered: false,
    status: row.status ?? '',
    from: new Date(row.created_at.getTime() - 1_000),
    to: new Date(row.created_at.getTime() + 60_000),
  };
  expect(await bulk.actions.count('retry', own)).toBe(1);
  expect(await bulk.actions.count('retry', { ...own, httpStatus: 404 })).toBe(0);
  expect(await bulk.actions.count('retry', { ...own, status: 'OTHER' })).toBe(0);
  expect(await bulk.actions.count('retry', { ...own, settled: true })).toBe(0);
  expect(await bulk.actions.count('retry', { ...own, to: own.from ?? new Date(0) })).toBe(0);
  expect(await bulk.run('retry', own)).toMatchObject({ changed: 1 });
  expect(await bulk.states([one, two, foreign])).toEqual(['queued', 'dead', 'dead']);
});

it('a bulk action does not cover a delivery that is accepted after its start', async () => {
  const [before = ''] = await recipient.acceptPayments(1);
  await bulk.attempt(before);
  await bulk.start('retry', { consumerId: recipient.id });
  const [after = ''] = await recipient.acceptPayments(1);
  await bulk.attempt(after);
  await bulk.finish();
  expect(await bulk.states([before, after])).toEqual(['queued', 'dead']);
});

it('a bulk replay skips deliveries of a removed consumer and deliveries whose event is no longer kept', async () => {
  const other = await Recipient.add(dispatcher);
  const [withoutEvent, foreign] = [await recipient.accept('payment'), await other.accept('payment')];
  for (const id of [withoutEvent, foreign]) await bulk.attempt(id);
  await sql`delete from events where id = (select event_id from deliveries where id = ${withoutEvent})`.execute(
    dispatcher.db,
  );
  await dispatcher.app.get(ConsumersRepository, { strict: false }).remove(other.id, AUDIT);
  for (const filter of [{ consumerId: recipient.id }, { consumerId: other.id }]) {
    expect(await bulk.run('replay', filter)).toMatchObject({ processed: 1, changed: 0, skipped: 1 });
  }
  expect(await bulk.states([withoutEvent, foreign])).toEqual(['dead', 'dead']);
});
