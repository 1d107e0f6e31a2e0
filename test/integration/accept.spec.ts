import { describe, expect, it } from 'vitest';
import { achExample, wireExample } from '#libs/contracts';
import { ConsumersRepository } from '#libs/database';
import { sql } from 'kysely';
import { accept, addConsumer, startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { rowsIn } from '#test/support/rows-in';
import { AUDIT } from '#test/support/actor';

const dispatcher = await startDispatcherInProcess();
let serial = 0;
const newPayment = (): string => `P-${String((serial += 1))}`;

const ach = (transactionId: string, change: object = {}) => {
  const example = achExample({ transactionId });
  return { ...example, ...change };
};

const numbersOf = async (paymentId: string): Promise<number[]> => {
  const rows = await dispatcher.db
    .selectFrom('events')
    .select(['number'])
    .where('payment_id', '=', paymentId)
    .orderBy('number')
    .execute();
  return rows.map((row) => row.number ?? -1);
};

const repository = dispatcher.app.get(ConsumersRepository, { strict: false });

describe('routing that another process has changed', () => {
  const eventFor = (company: string, consumer: string) => {
    const { data } = achExample({ transactionId: newPayment() });
    data.achEventInfo.debtor.achCompanyId = company;
    return { ...achExample(), data, consumers: [consumer] };
  };

  it('accepts an event for a company that a consumer got after the last event', async () => {
    const consumer = await addConsumer(dispatcher, { ach_company_ids: ['OLD-2'] });
    expect(await accept(dispatcher, eventFor('NEW-2', consumer))).toMatchObject({ kind: 'refused' });
    await repository.update(consumer, { ach_company_ids: ['NEW-2'] }, () => AUDIT);
    expect((await accept(dispatcher, eventFor('NEW-2', consumer))).kind).toBe('accepted');
    expect(await accept(dispatcher, eventFor('OLD-2', consumer))).toMatchObject({ kind: 'refused' });
  });

  it('accepts a status without a company that names a consumer registered after the last event', async () => {
    const [company, paymentId] = ['NEW-3', newPayment()];
    const first = await addConsumer(dispatcher, { wire_company_ids: [company] });
    const wire = wireExample({ paymentId });
    if (wire.data.wireEventInfo.originalWire === undefined) throw new Error('the example has a wire');
    wire.data.wireEventInfo.originalWire.originatorInfo.wireCompanyId = company;
    expect(await accept(dispatcher, wire)).toMatchObject({ deliveries: [{ consumerId: first }] });
    const second = await addConsumer(dispatcher, { wire_company_ids: [company] });
    const later = wireExample({ paymentId, status: 'Complete' });
    delete later.data.wireEventInfo.originalWire;
    expect(await accept(dispatcher, { ...later, consumers: [second] })).toMatchObject({
      kind: 'accepted',
      deliveries: [{ consumerId: second }],
    });
  });

  it('routes to a consumer registered a moment ago, and not to one removed a moment ago', async () => {
    const late = wireExample({ paymentId: newPayment() });
    if (late.data.wireEventInfo.originalWire !== undefined) {
      late.data.wireEventInfo.originalWire.originatorInfo.wireCompanyId = 'LATE';
    }
    expect(await accept(dispatcher, late, { key: 'r-1' })).toMatchObject({ deliveries: [] });
    const consumer = await addConsumer(dispatcher, { wire_company_ids: ['LATE'] });
    expect(await accept(dispatcher, late, { key: 'r-2' })).toMatchObject({
      deliveries: [{ consumerId: consumer }],
    });
    await repository.remove(consumer, AUDIT);
    expect(await accept(dispatcher, late, { key: 'r-3' })).toMatchObject({ deliveries: [] });
  });
});

describe('idempotency', () => {
  it('accepts one event from 50 equal requests at the same time', async () => {
    const change = ach(newPayment());
    const answers = await Promise.all(Array.from({ length: 50 }, () => accept(dispatcher, change)));
    expect(new Set(answers.map((a) => a.kind === 'accepted' && a.notificationId)).size).toBe(1);
    expect(answers.filter((a) => a.kind === 'accepted' && !a.duplicate)).toHaveLength(1);
    expect(await numbersOf(change.data.achEventInfo.transactionId)).toEqual([1]);
  });

  it('repeats the answer for a repeated idempotency key, and refuses the key with other content', async () => {
    const paymentId = newPayment();
    const first = await accept(dispatcher, ach(paymentId), { key: 'k-1' });
    const again = await accept(dispatcher, ach(paymentId), { key: 'k-1' });
    expect(again).toEqual({ ...first, duplicate: true });
    expect(await accept(dispatcher, ach(newPayment()), { key: 'k-1' })).toEqual({ kind: 'conflict' });
    expect((await accept(dispatcher, ach(newPayment()), { key: 'k-1', producer: 'other' })).kind).toBe(
      'accepted',
    );
  });

  it('detects the duplicate and the conflict among requests with one idempotency key in one batch', async () => {
    const one = ach(newPayment());
    const two = ach(newPayment());
    const [first, same, other] = await Promise.all([
      accept(dispatcher, one, { key: 'k-2' }),
      accept(dispatcher, one, { key: 'k-2' }),
      accept(dispatcher, two, { key: 'k-2' }),
    ]);
    expect(same).toEqual({ ...first, duplicate: true });
    expect(other).toEqual({ kind: 'conflict' });
  });

  it('repeats to each of two producers its own answer for the key that both use, also in one batch', async () => {
    const change = ach(newPayment());
    const post = () =>
      Promise.all(['one', 'two'].map((producer) => accept(dispatcher, change, { key: 'k-5', producer })));
    const first = await post();
    expect(await post()).toEqual(first.map((answer) => ({ ...answer, duplicate: true })));
  });

  it('accepts an idempotency key as new after 7 days', async () => {
    const first = await accept(dispatcher, ach(newPayment()), { key: 'k-3' });
    await sql`update idempotency_keys set created_at = now() - interval '7 days 1 second'`.execute(
      dispatcher.db,
    );
    const second = await accept(dispatcher, ach(newPayment()), { key: 'k-3' });
    expect(second).toMatchObject({ kind: 'accepted', duplicate: false });
    expect(first).not.toEqual(second);
  });

  it('releases the idempotency key of a refused request', async () => {
    const paymentId = newPayment();
    const refused = await accept(dispatcher, ach(paymentId, { consumers: ['nobody'] }), { key: 'k-4' });
    expect(refused).toMatchObject({ kind: 'refused', faults: [{ field: 'consumers[0]' }] });
    expect(await accept(dispatcher, ach(paymentId), { key: 'k-4' })).toMatchObject({
      kind: 'accepted',
      duplicate: false,
    });
    expect(await numbersOf(paymentId)).toEqual([1]);
  });
});

describe('numbering', () => {
  it('numbers a payment’s statuses in the order of the calls, without a gap', async () => {
    const paymentId = newPayment();
    const amounts = Array.from({ length: 300 }, (_, index) => `${String(index)}.00`);
    const answers = await Promise.all(
      amounts.map((amount) =>
        accept(dispatcher, { ...ach(paymentId), ...achExample({ transactionId: paymentId, amount }) }),
      ),
    );
    const rows = await dispatcher.db
      .selectFrom('events')
      .select(['id', 'number'])
      .where('payment_id', '=', paymentId)
      .orderBy('number')
      .execute();
    expect(rows.map((row) => row.id)).toEqual(
      answers.map((a) => (a.kind === 'accepted' ? a.notificationId : '')),
    );
    expect(rows.map((row) => row.number)).toEqual(amounts.map((_, index) => index + 1));
  });

  it('numbers ACH and wire payments with the same id separately', async () => {
    const paymentId = newPayment();
    await accept(dispatcher, ach(paymentId));
    await accept(dispatcher, wireExample({ paymentId }));
    expect(await numbersOf(paymentId)).toEqual([1, 1]);
  });
});

describe('failure in a batch', () => {
  it('fails only the event that PostgreSQL refuses, and accepts the others of its batch', async () => {
    const before = await rowsIn(dispatcher.db, 'events');
    const poison = ach(newPayment());
    // The name exceeds the size of a primary key's index entry. Random characters cannot be compressed.
    const tooLong = Array.from({ length: 9_000 }, () =>
      String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000)),
    ).join('');
    const answers = await Promise.allSettled([
      accept(dispatcher, ach(newPayment())),
      accept(dispatcher, poison, { producer: tooLong }),
      accept(dispatcher, ach(newPayment())),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await rowsIn(dispatcher.db, 'events')).toBe(before + 2);
  });
});
