import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, wireExample } from '#libs/contracts';
import { PaymentsRepository } from '#libs/database';
import fc from 'fast-check';
import { SendEvent } from '#apps/api/src/operations/send-event';
import { ANN } from '#test/support/actor';
import {
  accept,
  addConsumer,
  startDispatcherInProcess,
  type DispatcherInProcess,
} from '#test/support/dispatcher-in-process';

const HUBS = ['hub-a', 'hub-b', 'hub-c'] as const;
type Hub = (typeof HUBS)[number];

let dispatcher: DispatcherInProcess;
let payments: PaymentsRepository;
/** Each hub's payments are of a company of its own, whose consumer this is. */
const consumers = new Map<Hub, string>();

beforeAll(async () => {
  dispatcher = await startDispatcherInProcess();
  payments = dispatcher.app.get(PaymentsRepository, { strict: false });
  for (const hub of HUBS) consumers.set(hub, await addConsumer(dispatcher, { wire_company_ids: [hub] }));
});
afterAll(() => dispatcher.close());

const consumerOf = (hub: Hub): string => consumers.get(hub) ?? '';

/** A status that a hub posts: with its company, or without any. @returns the consumers that it goes to */
async function post(
  hub: Hub,
  paymentId: string,
  { status = 'Review', bare = false, named }: { status?: string; bare?: boolean; named?: string[] } = {},
): Promise<string[]> {
  const change = wireExample({ paymentId, status });
  const { originalWire } = change.data.wireEventInfo;
  if (bare) delete change.data.wireEventInfo.originalWire;
  else if (originalWire !== undefined) originalWire.originatorInfo.wireCompanyId = hub;
  const request = named === undefined ? change : { ...change, consumers: named };
  const answer = await accept(dispatcher, request, { producer: hub, key: newId() });
  if (answer.kind !== 'accepted') throw new Error(answer.kind);
  return answer.deliveries.map(({ consumerId }) => consumerId);
}

describe('a status without a company', () => {
  it('goes where the same producer’s earlier statuses went, whatever others post under the same id', async () => {
    const steps = fc.array(fc.record({ hub: fc.constantFrom(...HUBS), bare: fc.boolean() }), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const paymentId = newId();
        const known = new Set<Hub>();
        for (const { hub, bare } of history) {
          if (!bare) known.add(hub);
          expect(await post(hub, paymentId, { bare })).toEqual(known.has(hub) ? [consumerOf(hub)] : []);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('goes where its own producer’s went when both hubs’ statuses are accepted in one batch', async () => {
    const paymentId = newId();
    const [, , bareOfA, bareOfB, bareOfC] = await Promise.all([
      post('hub-a', paymentId),
      post('hub-b', paymentId),
      post('hub-a', paymentId, { bare: true }),
      post('hub-b', paymentId, { bare: true }),
      post('hub-c', paymentId, { bare: true }),
    ]);
    expect([bareOfA, bareOfB, bareOfC]).toEqual([[consumerOf('hub-a')], [consumerOf('hub-b')], []]);
  });

  it('cannot name a consumer that only another producer’s statuses concern', async () => {
    const paymentId = newId();
    await post('hub-a', paymentId);
    await expect(post('hub-b', paymentId, { bare: true, named: [consumerOf('hub-a')] })).rejects.toThrow(
      'refused',
    );
    await post('hub-b', paymentId);
    await expect(post('hub-b', paymentId, { bare: true, named: [consumerOf('hub-a')] })).rejects.toThrow(
      'refused',
    );
    const named = await post('hub-b', paymentId, { bare: true, named: [consumerOf('hub-b')] });
    expect(named).toEqual([consumerOf('hub-b')]);
  });

  it('follows a consumer that on-call staff added to its own producer’s event, and to no other’s', async () => {
    const paymentId = newId();
    const vouched = await addConsumer(dispatcher);
    await post('hub-a', paymentId);
    await post('hub-b', paymentId);
    await post('hub-c', paymentId, { bare: true });
    const event = await dispatcher.db
      .selectFrom('events')
      .select('id')
      .where('payment_id', '=', paymentId)
      .where('producer', '=', 'hub-c')
      .executeTakeFirstOrThrow();
    const sent = await dispatcher.app
      .get(SendEvent, { strict: false })
      .execute(event.id, { consumers: [vouched], reason: 'they called' }, ANN);
    expect(sent).toHaveLength(1);
    expect(await post('hub-c', paymentId, { bare: true })).toEqual([vouched]);
    expect(await post('hub-a', paymentId, { bare: true })).toEqual([consumerOf('hub-a')]);
    expect(await post('hub-b', paymentId, { bare: true })).toEqual([consumerOf('hub-b')]);
  });
});

describe('a producer’s view of a payment', () => {
  const seenBy = async (producer: Hub, paymentId: string, status?: string) => {
    const page = { offset: 0, limit: 10 };
    const listed = await payments.list(
      { producer, paymentId, ...(status === undefined ? {} : { status }) },
      page,
    );
    return listed.map((row) => [row.newest_status, row.last_number, row.consumer_ids]);
  };

  it('shows its own statuses only, whatever others post under the same id', async () => {
    const statuses = fc.constantFrom('Review', 'Complete', 'Reject');
    const steps = fc.array(fc.record({ hub: fc.constantFrom(...HUBS), status: statuses }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const paymentId = newId();
        for (const { hub, status } of history) await post(hub, paymentId, { status });
        for (const hub of HUBS) {
          const own = history.filter((step) => step.hub === hub);
          const newest = own.at(-1)?.status;
          const expected = newest === undefined ? [] : [[newest, own.length, [consumerOf(hub)]]];
          expect(await seenBy(hub, paymentId)).toEqual(expected);
          const found = await payments.find('wire.status', paymentId, hub);
          expect(found?.newest_status).toBe(newest);
          for (const status of ['Review', 'Complete', 'Reject'])
            expect(await seenBy(hub, paymentId, status)).toEqual(status === newest ? expected : []);
        }
      }),
      { numRuns: 30 },
    );
  });
});
