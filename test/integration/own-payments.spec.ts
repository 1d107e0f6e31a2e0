import { beforeAll, describe, expect, it } from 'vitest';
import { newId, wireExample } from '#libs/contracts';
import { PaymentsRepository } from '#libs/database';
import fc from 'fast-check';
import { SendEvent } from '#apps/api/src/resources/events/send-event';
import { ANN } from '#test/support/actor';
import { accept, addConsumer, startDispatcherInProcess } from '#test/support/dispatcher-in-process';

const HUBS = ['hub-a', 'hub-b', 'hub-c'] as const;
type Hub = (typeof HUBS)[number];

const dispatcher = await startDispatcherInProcess();
let payments: PaymentsRepository;
/** The consumer of each hub. The payments of a hub belong to a company that no other hub uses. */
const consumers = new Map<Hub, string>();

beforeAll(async () => {
  payments = dispatcher.app.get(PaymentsRepository, { strict: false });
  for (const hub of HUBS) consumers.set(hub, await addConsumer(dispatcher, { wire_company_ids: [hub] }));
});

const consumerOf = (hub: Hub): string => consumers.get(hub) ?? '';

/** Posts a status of a hub, with its company or without one. @returns the consumers that receive it */
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

describe('status without a company', () => {
  it('routes a status without a company by its own producer’s earlier statuses of the payment id only', async () => {
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

  it('routes a status without a company by its own producer when several share a payment id and a batch', async () => {
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

  it('refuses a status without a company that names a consumer of only another producer’s statuses', async () => {
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

  it('routes a status without a company to a consumer that staff added to its own producer’s event', async () => {
    const paymentId = newId();
    const added = await addConsumer(dispatcher);
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
      .execute(event.id, { consumers: [added], reason: 'they called' }, ANN);
    expect(sent).toHaveLength(1);
    expect(await post('hub-c', paymentId, { bare: true })).toEqual([added]);
    expect(await post('hub-a', paymentId, { bare: true })).toEqual([consumerOf('hub-a')]);
    expect(await post('hub-b', paymentId, { bare: true })).toEqual([consumerOf('hub-b')]);
  });
});

describe('payment as a producer sees it', () => {
  const seenBy = async (producer: Hub, paymentId: string, status?: string) => {
    const page = { offset: 0, limit: 10 };
    const listed = await payments.list(
      { producer, paymentId, ...(status === undefined ? {} : { status }) },
      page,
    );
    return listed.map((row) => [row.newest_status, row.last_number, row.consumer_ids]);
  };

  it('shows a producer only its own statuses of a payment id that other producers use too', async () => {
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
