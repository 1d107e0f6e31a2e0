import { beforeEach, describe, expect, it } from '@jest/globals';
import { achExample, checkPlain, StatusChangeDto } from '#libs/contracts';
import {
  DatabaseUnavailableError,
  type AcceptOutcome,
  type FirstRequest,
  type NewEvent,
  type PaymentPast,
} from '#libs/database';
import { Metrics, NO_TRACING } from '#libs/observability';
import { RoutingTable, type RoutableConsumer } from '#libs/policy';
import { AcceptService } from './accept.service.js';
import type { AcceptRequest } from './change.js';

const CONSUMER = '0199c2f2-7b5e-7c3a-8f00-000000000001';
const routed = (id: string): RoutableConsumer => ({
  id,
  externalId: null,
  eventTypes: ['ach.status'],
  achCompanyIds: [],
  wireCompanyIds: [],
  allPayments: true,
});
const table = new RoutingTable([routed(CONSUMER)]);

interface Given {
  readonly key?: string;
  readonly consumers?: string[];
  readonly hasCompany?: boolean;
}

function requestOf(transactionId: string, { key, consumers, hasCompany = true }: Given = {}): AcceptRequest {
  const { debtor, creditor } = achExample().data.achEventInfo;
  const parties = hasCompany ? {} : { debtor: anonymous(debtor), creditor: anonymous(creditor) };
  const checked = checkPlain(StatusChangeDto, {
    ...achExample({ transactionId, ...parties }),
    ...(consumers && { consumers }),
  });
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return { producer: 'hub', idempotencyKey: key, change: checked.value };
}

function anonymous<Party extends { achCompanyId?: string }>(party: Party): Party {
  const copy = { ...party };
  delete copy.achCompanyId;
  return copy;
}

/** An accepted request as `firstRequests` returns it later. */
const storedAs = (event: NewEvent): FirstRequest => ({
  producer: event.producer,
  keyHash: event.keyHash,
  contentHash: event.contentHash,
  notificationId: event.id,
  deliveries: event.deliveries.map(({ id, consumerId }) => ({ deliveryId: id, consumerId })),
});

describe('AcceptService', () => {
  /** The events that each statement wrote, or tried to write. */
  let statements: (readonly NewEvent[])[];
  /** The outcomes of the next statements; `accepted` when the list is empty. */
  let answers: (() => AcceptOutcome)[];
  let stored: FirstRequest[];
  let enqueued: string[];
  let hinted: string[];
  let logged: string[];
  let version: number;
  let refreshes: number;
  /** Consumers that were registered after this process read the routing. */
  let newConsumers: string[];
  let versionReads: number;
  /** The pasts that the next reads return; an empty one when the list is empty. */
  let pasts: Partial<PaymentPast>[];
  let service: AcceptService;

  async function write(events: readonly NewEvent[]): Promise<AcceptOutcome> {
    statements.push(events);
    const outcome = answers.shift()?.() ?? { kind: 'accepted', enqueue: [CONSUMER] };
    if (outcome.kind === 'accepted') stored.push(...events.map(storedAs));
    return outcome;
  }

  beforeEach(() => {
    [statements, answers, stored, enqueued, hinted, logged, version, refreshes] = [
      [],
      [],
      [],
      [],
      [],
      [],
      1,
      0,
    ];
    [newConsumers, versionReads, pasts] = [[], 0, []];
    let known = table;
    service = new AcceptService(
      {
        accept: write,
        pasts: async (payments) =>
          payments.map(() => ({ companyIds: [], consumerIds: [], lastNumber: 0, ...pasts.shift() })),
        firstRequests: async (keys) =>
          stored.filter(({ keyHash }) => keys.some((key) => key.keyHash.equals(keyHash))),
      },
      {
        current: async () => ({ version: String(version), table: known }),
        isNewest: async () => {
          versionReads += 1;
          return newConsumers.length === 0;
        },
        refresh: async () => {
          refreshes += 1;
          version += 1;
          known = new RoutingTable([CONSUMER, ...newConsumers].map(routed));
          newConsumers = [];
          return { version: String(version), table: known };
        },
      },
      {
        enqueue: (consumerIds) => void enqueued.push(...consumerIds),
        hint: (consumerIds) => void hinted.push(...consumerIds),
      },
      { counters: { accepted: () => undefined } },
      {
        info: (_facts: object, event?: string) => void logged.push(event ?? ''),
        warn: (_facts: object, event?: string) => void logged.push(event ?? ''),
      },
      NO_TRACING,
      new Metrics(),
    );
  });

  it('accepts a lone event with one statement, enqueues its consumer, hints at it and logs it', async () => {
    const acceptance = await service.accept(requestOf('one'));
    expect(acceptance).toMatchObject({
      kind: 'accepted',
      duplicate: false,
      deliveries: [{ consumerId: CONSUMER }],
    });
    expect([statements.length, enqueued, hinted, logged]).toEqual([
      1,
      [CONSUMER],
      [CONSUMER],
      ['event.accepted'],
    ]);
  });

  it('accepts concurrent requests in their order with one statement', async () => {
    const ids = ['a', 'b', 'c'];
    await Promise.all(ids.map((id) => service.accept(requestOf(id))));
    expect(statements.map((events) => events.map(({ paymentId }) => paymentId))).toEqual([ids]);
  });

  it('refuses a request that names an unknown consumer and accepts the rest of the batch', async () => {
    const settled = await Promise.all([
      service.accept(requestOf('a')),
      service.accept(requestOf('b', { consumers: ['unknown'] })),
    ]);
    expect(settled.map(({ kind }) => kind)).toEqual(['accepted', 'refused']);
    expect(statements.map((events) => events.length)).toEqual([1]);
  });

  it('writes nothing when every request of a batch is refused', async () => {
    expect(await service.accept(requestOf('b', { consumers: ['unknown'] }))).toMatchObject({
      kind: 'refused',
      faults: [{ field: 'consumers[0]' }],
    });
    expect(statements).toEqual([]);
  });

  const NEW = '0199c2f2-7b5e-7c3a-8f00-000000000002';
  const stale = (): AcceptOutcome => ({ kind: 'stale_routing' });

  it('accepts an event for a consumer that was registered after this process read the routing', async () => {
    newConsumers = [NEW];
    const acceptance = await service.accept(requestOf('a', { consumers: [NEW] }));
    expect(acceptance).toMatchObject({ kind: 'accepted', deliveries: [{ consumerId: NEW }] });
    expect([refreshes, logged]).toEqual([1, ['event.accepted']]);
  });

  it('accepts an event for a new consumer in a batch whose other event found the routing to be old', async () => {
    newConsumers = [NEW];
    answers = [stale];
    const settled = await Promise.all([
      service.accept(requestOf('a')),
      service.accept(requestOf('b', { consumers: [NEW] })),
    ]);
    expect(settled.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
  });

  it('accepts an event without a company for a new consumer that it names', async () => {
    newConsumers = [NEW];
    const request = requestOf('a', { consumers: [NEW], hasCompany: false });
    expect((await service.accept(request)).kind).toBe('accepted');
  });

  it('reads the version of the routing only when no event of a batch is left to accept', async () => {
    await Promise.all([service.accept(requestOf('a')), service.accept(requestOf('b', { consumers: ['x'] }))]);
    expect(versionReads).toBe(0);
    await service.accept(requestOf('c', { consumers: ['x'] }));
    expect([versionReads, refreshes]).toEqual([1, 0]);
  });

  it('fails every request of a batch when PostgreSQL is unreachable, and logs none as accepted', async () => {
    answers = [
      () => {
        throw Object.assign(new Error('connection failure'), { code: '08006' });
      },
    ];
    const settled = await Promise.allSettled(['a', 'b'].map((id) => service.accept(requestOf(id))));
    for (const one of settled)
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailableError) });
    expect([enqueued, logged]).toEqual([[], []]);
  });

  it('reads the routing again when it has changed, and then accepts the event', async () => {
    answers = [() => ({ kind: 'stale_routing' })];
    expect((await service.accept(requestOf('a'))).kind).toBe('accepted');
    expect([statements.length, refreshes]).toEqual([2, 1]);
  });

  it('answers busy when the routing changes on every attempt', async () => {
    answers = Array.from({ length: 20 }, () => () => ({ kind: 'stale_routing' }));
    expect((await service.accept(requestOf('a'))).kind).toBe('busy');
    expect([statements.length, enqueued, logged]).toEqual([20, [], []]);
  });

  it('answers a repeated request as its first one, and other content under its key as a conflict', async () => {
    const first = await service.accept(requestOf('a', { key: 'k' }));
    const keyTaken = (): AcceptOutcome => ({ kind: 'key_taken' });
    answers = [keyTaken];
    expect(await service.accept(requestOf('a', { key: 'k' }))).toEqual({ ...first, duplicate: true });
    answers = [keyTaken];
    expect((await service.accept(requestOf('other', { key: 'k' }))).kind).toBe('conflict');
    expect(enqueued).toEqual([CONSUMER]);
  });

  it('writes two requests with one key in two statements', async () => {
    await Promise.all(['a', 'a'].map((id) => service.accept(requestOf(id, { key: 'k' }))));
    expect(statements.map((events) => events.length)).toEqual([1, 1]);
  });

  it('accepts an event without a company with its batch, for the consumers of the payment’s earlier statuses', async () => {
    pasts = [{ consumerIds: [CONSUMER], lastNumber: 7 }];
    const settled = await Promise.all([
      service.accept(requestOf('a')),
      service.accept(requestOf('b', { hasCompany: false })),
      service.accept(requestOf('c')),
    ]);
    expect(settled.map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'accepted']);
    const written = statements.map((events) => events.map((e) => [e.paymentId, e.expectedNumber]));
    expect(written).toEqual([
      [
        ['a', null],
        ['b', 8],
        ['c', null],
      ],
    ]);
    expect(settled[1]).toMatchObject({ deliveries: [{ consumerId: CONSUMER }] });
  });

  it('routes an event without a company also by the statuses of its payment before it in the batch', async () => {
    const [, second] = await Promise.all([
      service.accept(requestOf('a', { key: '1' })),
      service.accept(requestOf('a', { key: '2', hasCompany: false })),
    ]);
    expect(second).toMatchObject({ kind: 'accepted', deliveries: [{ consumerId: CONSUMER }] });
    const numbers = statements[0]?.map((event) => [event.followers, event.expectedNumber]);
    expect(numbers).toEqual([
      [1, null],
      [0, 2],
    ]);
  });

  it('reads the past of a payment again when a status was accepted meanwhile', async () => {
    pasts = [{}, { consumerIds: [CONSUMER], lastNumber: 1 }];
    answers = [() => ({ kind: 'stale_past' })];
    const acceptance = await service.accept(requestOf('a', { hasCompany: false }));
    expect(acceptance).toMatchObject({ kind: 'accepted', deliveries: [{ consumerId: CONSUMER }] });
    expect(statements.map(([event]) => event?.expectedNumber)).toEqual([1, 2]);
  });

  it('answers busy after repeated conflicts with other transactions', async () => {
    const deadlock = (): AcceptOutcome => {
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    };
    answers = [deadlock, deadlock, deadlock];
    expect((await service.accept(requestOf('a'))).kind).toBe('busy');
    expect(logged).toEqual(['accept.contended']);
  });
});
