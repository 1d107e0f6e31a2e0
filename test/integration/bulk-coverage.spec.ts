import { beforeEach, expect, it } from 'vitest';
import type { BulkActionKind, DeliveryFilter } from '#libs/contracts';
import { ConsumersRepository, WorkersRepository } from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { AUDIT, BulkRuns } from '#test/support/bulk-runs';
import { Recipient, stateOf } from '#test/support/recipient';
import { startDispatcherInProcess } from '#test/support/dispatcher-in-process';

const dispatcher = await startDispatcherInProcess();
let recipient: Recipient;

const bulk = new BulkRuns(dispatcher);
beforeEach(async () => {
  recipient = await Recipient.add(dispatcher);
});

/** Makes one delivery in each state that a bulk action can meet. */
async function deliveriesInEachState() {
  const [queued, due, sending, delivered, dead, cancelled] = await recipient.acceptPayments(6);
  const all = {
    queued: queued ?? '',
    due: due ?? '',
    sending: sending ?? '',
    delivered: delivered ?? '',
    dead: dead ?? '',
    cancelled: cancelled ?? '',
  };
  await bulk.attempt(all.queued, { retryInMs: 3_600_000, spendsAttempt: true });
  await reportSending(all.sending);
  await bulk.attempt(all.delivered, { state: 'delivered' });
  await bulk.attempt(all.dead);
  await bulk.attempt(all.cancelled);
  await sql`update deliveries set state = 'cancelled' where id = ${all.cancelled}`.execute(dispatcher.db);
  return all;
}

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

it.each<{
  action: BulkActionKind;
  filter: DeliveryFilter;
  counts: object;
  states: Record<string, string>;
}>([
  {
    action: 'retry',
    filter: {},
    counts: { matched: 4, processed: 4, changed: 2, skipped: 2 },
    states: {
      queued: 'queued',
      due: 'queued',
      sending: 'sending',
      dead: 'queued',
      delivered: 'delivered',
      cancelled: 'cancelled',
    },
  },
  {
    action: 'retry',
    filter: { state: 'cancelled' },
    counts: { matched: 1, processed: 1, changed: 1, skipped: 0 },
    states: { dead: 'dead', delivered: 'delivered', cancelled: 'queued' },
  },
  {
    action: 'retry',
    filter: { state: 'sending' },
    counts: { matched: 1, processed: 1, changed: 0, skipped: 1 },
    states: { due: 'queued', sending: 'sending', dead: 'dead' },
  },
  {
    action: 'replay',
    filter: {},
    counts: { matched: 6, processed: 6, changed: 6, skipped: 0 },
    states: {
      queued: 'queued',
      due: 'queued',
      sending: 'sending',
      dead: 'queued',
      delivered: 'queued',
      cancelled: 'queued',
    },
  },
  {
    action: 'replay',
    filter: { state: 'delivered' },
    counts: { matched: 1, processed: 1, changed: 1, skipped: 0 },
    states: { dead: 'dead', delivered: 'queued', cancelled: 'cancelled' },
  },
  {
    action: 'replay',
    filter: { delivered: false },
    counts: { matched: 4, processed: 4, changed: 4, skipped: 0 },
    states: { queued: 'queued', dead: 'queued', delivered: 'delivered', cancelled: 'cancelled' },
  },
  {
    action: 'replay',
    filter: { delivered: false, state: 'cancelled' },
    counts: { matched: 1, processed: 1, changed: 1, skipped: 0 },
    states: { dead: 'dead', delivered: 'delivered', cancelled: 'queued' },
  },
  {
    action: 'replay',
    filter: { delivered: true },
    counts: { matched: 1, processed: 1, changed: 1, skipped: 0 },
    states: { dead: 'dead', delivered: 'queued', cancelled: 'cancelled' },
  },
  {
    action: 'settle',
    filter: {},
    counts: { matched: 1, processed: 1, changed: 1, skipped: 0 },
    states: {
      queued: 'queued',
      sending: 'sending',
      dead: 'dead',
      delivered: 'delivered',
      cancelled: 'cancelled',
    },
  },
  {
    action: 'cancel',
    filter: {},
    counts: { matched: 4, processed: 4, changed: 4, skipped: 0 },
    states: {
      queued: 'cancelled',
      due: 'cancelled',
      sending: 'cancelled',
      dead: 'cancelled',
      delivered: 'delivered',
      cancelled: 'cancelled',
    },
  },
])('a bulk $action with $filter changes only what it covers', async ({ action, filter, counts, states }) => {
  const all = await deliveriesInEachState();
  expect(await bulk.run(action, { consumerId: recipient.id, ...filter })).toMatchObject({
    state: 'finished',
    ...counts,
  });
  const seen = Object.fromEntries(
    await Promise.all(Object.entries(all).map(async ([name, id]) => [name, await stateOf(dispatcher, id)])),
  );
  expect(seen).toMatchObject(states);
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
