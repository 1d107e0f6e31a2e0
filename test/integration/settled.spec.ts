import { beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryFilter } from '#libs/contracts';
import { cancelDelivery, DeliveriesRepository, retryDelivery, type DeliveryRow } from '#libs/database';
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

const mine = (filter: DeliveryFilter = {}): DeliveryFilter => ({ consumerId: recipient.id, ...filter });
const listed = async (filter: DeliveryFilter): Promise<string[]> =>
  (await deliveries.list({ consumerId: recipient.id, ...filter }, { offset: 0, limit: 100 })).map(
    ({ id }) => id,
  );
const read = async (id: string): Promise<DeliveryRow> => {
  const row = await deliveries.find(id);
  if (row === undefined) throw new Error('there is no such delivery');
  return row;
};

/** Makes one pending, one delivered, one cancelled, and two dead deliveries, one of which is settled. */
async function oneSettled() {
  const [pending = '', delivered = '', cancelled = '', settled = '', dead = ''] =
    await recipient.acceptPayments(5);
  await bulk.attempt(delivered, { state: 'delivered' });
  await cancelDelivery(dispatcher.db, cancelled, AUDIT);
  await bulk.attempt(settled);
  await bulk.run('settle', mine());
  await bulk.attempt(dead);
  return { pending, delivered, cancelled, settled, dead };
}

describe('settled dead delivery', () => {
  it('a settled delivery shows when, by whom and why it was settled, and stays dead', async () => {
    const { settled, dead } = await oneSettled();
    expect(await read(settled)).toMatchObject({
      state: 'dead',
      settled_at: expect.any(Date),
      settled_by: 'ann',
      settle_reason: 'why',
    });
    expect(await read(dead)).toMatchObject({ state: 'dead', settled_at: null, settled_by: null });
  });

  it('the filter `settled` selects settled deliveries, and other filters do not count them as open', async () => {
    const { pending, delivered, cancelled, settled, dead } = await oneSettled();
    expect(await listed({ settled: true })).toEqual([settled]);
    expect(await listed({ settled: false })).toEqual([dead]);
    expect(await listed({ state: 'dead' })).toEqual([dead, settled]);
    expect(await listed({ delivered: false })).toEqual([dead, pending]);
    expect(await listed({ delivered: false, settled: true })).toEqual([settled]);
    expect(await listed({ delivered: false, state: 'cancelled' })).toEqual([cancelled]);
    expect(await listed({ delivered: true })).toEqual([delivered]);
    expect(await listed({ settled: true, state: 'delivered' })).toEqual([]);
  });

  it('a settled delivery that is retried is open again, without a settlement', async () => {
    const { settled } = await oneSettled();
    expect(await retryDelivery(dispatcher.db, settled, { force: false }, AUDIT)).toMatchObject({
      kind: 'done',
    });
    expect(await read(settled)).toMatchObject({ state: 'queued', settled_at: null });
    await bulk.attempt(settled);
    expect(await read(settled)).toMatchObject({ state: 'dead', settled_at: null, settle_reason: null });
    expect(await listed({ settled: true })).toEqual([]);
  });

  it('a settled delivery has no settlement once it is cancelled', async () => {
    const { settled } = await oneSettled();
    await cancelDelivery(dispatcher.db, settled, AUDIT);
    expect(await read(settled)).toMatchObject({ state: 'cancelled', settled_at: null, settled_by: null });
  });

  it('a settled delivery keeps its first settlement when a second action settles the same filter', async () => {
    const { settled } = await oneSettled();
    const before = await read(settled);
    expect(await bulk.run('settle', mine({ state: 'dead' }))).toMatchObject({ matched: 1, changed: 1 });
    expect((await read(settled)).settled_at).toEqual(before.settled_at);
  });
});

describe('status of a delivery', () => {
  it('a delivery has the status of its event while it is pending, dead, and sent again', async () => {
    const [id = ''] = await recipient.acceptPayments(1);
    const { status } = await read(id);
    expect(status).toEqual(expect.any(String));
    await bulk.attempt(id);
    expect(await read(id)).toMatchObject({ state: 'dead', status });
    expect(await listed({ status: status ?? '' })).toEqual([id]);
    expect(await listed({ status: 'ANOTHER' })).toEqual([]);
    await bulk.run('replay', mine({ status: status ?? '' }));
    expect(await read(id)).toMatchObject({ state: 'queued', status });
    expect(await listed({ status: status ?? '', state: 'queued' })).toEqual([id]);
  });
});
