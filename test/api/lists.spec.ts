import { describe, expect, it } from 'vitest';
import { achExample, wireExample } from '#libs/contracts';
import { System } from '#test/support/system';
import { registration } from '#test/support/registration';

const system = await System.start({ backend: 'redis', workers: 0 });

const wire = (paymentId: string): object => wireExample({ paymentId });

/** Pages through a query to its end. */
async function all(query: Record<string, string>, limit: number): Promise<string[]> {
  const seen: string[] = [];
  for (let offset = '0', more = true; more;) {
    const { events, pagination } = await system.client.events({ ...query, limit: String(limit), offset });
    expect(Number(pagination.offset)).toBe(Number(offset) + events.length);
    seen.push(...events.map((event) => event.notificationId));
    offset = pagination.offset;
    more = pagination.moreRecords;
  }
  return seen;
}

describe('paging', () => {
  it('paging ends exactly at the last record, for any page size', async () => {
    const from = new Date().toISOString();
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1)
      ids.push((await system.client.accept(wire(`p-${String(index)}`))).notificationId);
    for (const limit of [1, 4, 5, 12, 13]) expect(await all({ from }, limit)).toEqual(ids.toReversed());
  });

  it('paging misses and repeats no event inside a fixed range while others are accepted', async () => {
    const from = new Date().toISOString();
    const ids = new Set<string>();
    const finished = new AbortController();
    const produced = Promise.all(
      Array.from({ length: 8 }, async (_, producer) => {
        for (let index = 0; index < 40; index += 1) {
          const accepted = await system.client.accept(wire(`busy-${String(producer)}-${String(index)}`));
          ids.add(accepted.notificationId);
        }
      }),
    ).finally(() => finished.abort());
    try {
      while (!finished.signal.aborted) {
        const { events } = await system.client.events({ from, limit: '1' });
        const to = events[0]?.acceptedAt;
        if (to === undefined) continue;
        const first = await all({ from, to }, 17);
        const second = await all({ from, to }, 29);
        expect(new Set(first).size).toBe(first.length);
        expect(second).toEqual(first);
      }
    } finally {
      // The producers must not continue into the next test, even after a failure.
      await produced;
    }
    expect(new Set(await all({ from }, 100))).toEqual(ids);
  });
});

describe('filters', () => {
  it('each filter of the lists of events and deliveries finds exactly the matching records', async () => {
    const from = new Date().toISOString();
    const consumer = await system.client.registerConsumer(registration({ achCompanyIds: ['1234567890'] }));
    const ach = await system.client.accept(
      achExample({ transactionId: 'F-1', traceNumber: '999999999999999' }),
    );
    const other = await system.client.accept(
      wireExample({ paymentId: 'F-1', IMAD: 'IMAD-F', status: 'Complete' }),
    );
    const found = async (query: Record<string, string>): Promise<string[]> => all({ from, ...query }, 100);
    expect(await found({ paymentId: 'F-1' })).toEqual([other.notificationId, ach.notificationId]);
    expect(await found({ paymentId: 'F-1', eventType: 'ach.status' })).toEqual([ach.notificationId]);
    expect(await found({ traceNumber: '999999999999999' })).toEqual([ach.notificationId]);
    expect(await found({ imad: 'IMAD-F' })).toEqual([other.notificationId]);
    expect(await found({ status: 'Complete' })).toEqual([other.notificationId]);
    expect(await found({ unrouted: 'true' })).toEqual([other.notificationId]);
    expect(await found({ unrouted: 'false' })).toEqual([ach.notificationId]);
    expect(await found({ to: from })).toEqual([]);

    const deliveries = async (query: string): Promise<string[]> => {
      const answer = await system.client.call<{ deliveries: { notificationId: string }[] }>(
        'GET',
        `/v1/deliveries?${query}`,
      );
      return answer.body.deliveries.map((delivery) => delivery.notificationId);
    };
    const acme = `consumerId=${consumer.id}`;
    expect(await deliveries(acme)).toEqual([ach.notificationId]);
    expect(await deliveries(`${acme}&state=queued&eventType=ach.status&paymentId=F-1`)).toEqual([
      ach.notificationId,
    ]);
    expect(await deliveries(`${acme}&status=NOTICE_OF_CHANGE&delivered=false`)).toEqual([ach.notificationId]);
    expect(await deliveries(`notificationId=${ach.notificationId}`)).toEqual([ach.notificationId]);
    for (const none of [
      'state=dead',
      'outcome=timeout',
      'httpStatus=500',
      'holdReason=order',
      'eventType=wire.status',
      'status=RETURN',
      'settled=false',
      'settled=true',
      'delivered=true',
    ]) {
      expect(await deliveries(`${acme}&${none}`)).toEqual([]);
    }
    expect(await deliveries(`${acme}&to=${encodeURIComponent(from)}`)).toEqual([]);
  });
});
