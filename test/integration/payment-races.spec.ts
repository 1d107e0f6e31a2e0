import { afterAll, expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import {
  acceptEvents,
  BulkActionsRepository,
  cancelDelivery,
  expirePending,
  openConsumersReading,
  parkDeliveries,
  recordAttempts,
  retryDelivery,
  stepBulkAction,
  type AttemptResult,
  type Database,
  type Statements,
} from '#libs/database';
import { sql } from 'kysely';
import { AUDIT } from '#test/support/actor';
import { everySchedule } from '#test/support/every-schedule';
import { fileDatabase } from '#test/support/file-database';
import { routingVersion } from '#test/support/new-status';
import { OverlappingSender } from '#test/support/overlapping-sender';
import { steppedConnections, type SteppedWork } from '#test/support/stepped-work';
import { DEAD, DELIVERED, LATER } from '#test/support/test-session';

const { url, db, reading, pipeline } = await fileDatabase();
const consumersReading = openConsumersReading({ url, poolSize: 1 });
afterAll(() => consumersReading.destroy());
const stepped = steppedConnections(url, db);
const version = await routingVersion(db);

/** What a process does, over its own connection, with a payment. */
type Work = (on: {
  readonly db: Database;
  readonly over: Statements;
  readonly payment: OverlappingSender;
  /** The results of the requests in flight for the first status. */
  readonly sent: readonly AttemptResult[];
}) => Promise<unknown>;

const FIRST = 0;
const SECOND = 1;
const THIRD = 2;
const idOf = ({ ids }: OverlappingSender, status: number): string => ids[status] ?? '';

const record =
  (request = 0): Work =>
  ({ over, sent }) =>
    recordAttempts(over, sent.slice(request, request + 1));
const cancel =
  (status: number): Work =>
  (on) =>
    cancelDelivery(on.db, idOf(on.payment, status), AUDIT);
const park =
  (status: number): Work =>
  ({ over, payment }) =>
    parkDeliveries(over, [{ id: idOf(payment, status), blockedBy: payment.id }]);
const retry: Work = (on) => retryDelivery(on.db, on.payment.id, { force: false }, AUDIT);
const accept: Work = ({ over, payment }) => acceptEvents(over, [payment.newStatus()], version);
const expire: Work = (on) => expirePending(on.db, new Date(Date.now() + 15 * 86_400_000), 10);
const removeConsumer: Work = (on) =>
  sql`select finish_deliveries(array[${on.payment.id}::uuid], '{cancelled}', '{consumer_removed}', '{null}', '{null}',
                               '{null}')`.execute(on.db);
const stepBulk: Work = (on) => stepBulkAction(on.db, 10);
const startBulk =
  (action: 'replay' | 'cancel'): Work =>
  ({ payment: { notificationId } }) =>
    new BulkActionsRepository(db, reading, consumersReading).start(
      { id: newId(), action, filter: { notificationId }, reason: 'why', createdBy: 'ann' },
      AUDIT,
    );
const inTurn =
  (...works: readonly Work[]): Work =>
  async (on) => {
    for (const work of works) await work(on);
  };
const sendAgain = inTurn(cancel(FIRST), retry);

interface Race {
  /** Completes "every order of …". */
  readonly of: string;
  /** Statuses that were accepted before; one by default. */
  readonly statuses?: number;
  /** The results of requests in flight for the first status. */
  readonly sent?: readonly AttemptResult['next'][];
  /** What was done before, one after the other; between them another request is sent if there are several. */
  readonly before?: readonly Work[];
  readonly works: readonly [Work, Work, Work?];
  /** The states in which the first status can be afterwards: each occurs in some order. */
  readonly ends: readonly string[];
  /** The later statuses that are left; they go in this order, after the first one if that is pending. */
  readonly left?: readonly number[];
  readonly mostPreemptions?: number;
}

const NEXT = { delivered: DELIVERED, dead: DEAD, later: LATER } as const;

/** The same with each result of the request in flight. */
const withEach = (
  ends: Readonly<Record<keyof typeof NEXT, readonly string[]>>,
  race: Omit<Race, 'sent' | 'ends'>,
): Race[] =>
  (['delivered', 'dead', 'later'] as const).map((next) => ({
    ...race,
    of: `${race.of} (${next})`,
    sent: [NEXT[next]],
    ends: ends[next],
  }));

const RACES: readonly Race[] = [
  ...withEach(
    { delivered: ['delivered'], dead: ['dead', 'pending'], later: ['pending'] },
    { of: 'a retry and the record of an attempt', works: [retry, record()], mostPreemptions: 1 },
  ),
  ...withEach(
    { delivered: ['delivered'], dead: ['cancelled'], later: ['cancelled'] },
    {
      of: 'a cancellation and the record of an attempt, before a parked status',
      statuses: 2,
      before: [park(SECOND)],
      works: [cancel(FIRST), record()],
      left: [SECOND],
      mostPreemptions: 1,
    },
  ),
  ...withEach(
    { delivered: ['delivered'], dead: ['dead', 'pending'], later: ['pending'] },
    {
      of: 'the record of an attempt and a cancellation with a retry',
      works: [sendAgain, record()],
      mostPreemptions: 2,
    },
  ),
  ...(
    ['delivered later', 'delivered dead', 'later delivered', 'dead later', 'delivered delivered'] as const
  ).map((both): Race => ({
    of: `a cancellation and the records of two attempts with one number (${both})`,
    sent: both.split(' ').map((next) => (next === 'delivered' ? DELIVERED : next === 'dead' ? DEAD : LATER)),
    before: [sendAgain],
    works: [cancel(FIRST), record(0), record(1)],
    ends: [both.includes('delivered') ? 'delivered' : 'cancelled'],
    mostPreemptions: 1,
  })),
  {
    of: 'two records of one result of a cancelled delivery',
    sent: [LATER],
    before: [cancel(FIRST)],
    works: [record(), record()],
    ends: ['cancelled'],
  },
  {
    of: 'two retries of a dead delivery',
    sent: [DEAD],
    before: [record()],
    works: [retry, retry],
    ends: ['pending'],
    mostPreemptions: 1,
  },
  {
    of: 'a cancellation and a retry of a dead delivery',
    sent: [DEAD],
    before: [record()],
    works: [cancel(FIRST), retry],
    ends: ['cancelled', 'pending'],
    mostPreemptions: 1,
  },
  {
    of: 'a record of the first status and a cancellation of the second, before a parked third one',
    statuses: 3,
    sent: [DELIVERED],
    before: [park(SECOND), park(THIRD)],
    works: [cancel(SECOND), record()],
    ends: ['delivered'],
    left: [THIRD],
    mostPreemptions: 1,
  },
  {
    of: 'a cancellation of the second status, and the accept and park of a third one with the record of the first',
    statuses: 2,
    sent: [DELIVERED],
    works: [cancel(SECOND), inTurn(accept, park(THIRD), record())],
    ends: ['delivered'],
    left: [THIRD],
    mostPreemptions: 1,
  },
  {
    of: 'a cancellation and a park of the next status',
    statuses: 2,
    works: [cancel(FIRST), park(SECOND)],
    ends: ['cancelled'],
    left: [SECOND],
    mostPreemptions: 1,
  },
  {
    of: 'a cancellation and an accept of the next status',
    works: [cancel(FIRST), accept],
    ends: ['cancelled'],
    left: [SECOND],
    mostPreemptions: 1,
  },
  ...(['replay', 'cancel'] as const).map((action) => ({
    of: `a step of a bulk ${action} and the record of one of its deliveries`,
    sent: [DELIVERED],
    before: [startBulk(action)],
    works: [stepBulk, record()] as const,
    ends: action === 'replay' ? ['delivered', 'pending'] : ['delivered'],
    mostPreemptions: 1,
  })),
  ...withEach(
    { delivered: ['delivered'], dead: ['dead'], later: ['pending'] },
    {
      of: 'a record, a park of the second status and an accept of the third',
      statuses: 2,
      works: [record(), park(SECOND), accept],
      left: [SECOND, THIRD],
    },
  ),
  {
    of: 'a record of the first status, a cancellation of the second and a park of the third',
    statuses: 3,
    sent: [DELIVERED],
    works: [record(), cancel(SECOND), park(THIRD)],
    ends: ['delivered'],
    left: [THIRD],
  },
  {
    of: 'a record, a cancellation and a park of the next status',
    statuses: 2,
    sent: [DELIVERED],
    works: [record(), cancel(FIRST), park(SECOND)],
    ends: ['delivered'],
    left: [SECOND],
  },
  {
    of: 'an end because its consumer is removed and a park of the next status',
    statuses: 2,
    works: [removeConsumer, park(SECOND)],
    ends: ['cancelled'],
    left: [SECOND],
  },
  {
    of: 'an expiry and a park of the next status',
    statuses: 2,
    before: [
      ({ payment: { ids } }) =>
        sql`update pending_deliveries set pending_since = now() + interval '10 days' where id = ${ids[SECOND]}`.execute(
          db,
        ),
    ],
    works: [expire, park(SECOND)],
    ends: ['dead'],
    left: [SECOND],
  },
];

it.each(RACES.map((race) => [race.of, race] as const))(
  'every order of %s keeps one row and each attempt once, and the statuses that are left go in order',
  async (_of, { statuses = 1, sent = [], before = [], works, ends, left = [], mostPreemptions }) => {
    const seen = new Set<string>();
    await everySchedule(async (schedule) => {
      const payment = await OverlappingSender.add(pipeline, statuses);
      const results: AttemptResult[] = [];
      const send = async (): Promise<void> => {
        const next = sent[results.length];
        if (next !== undefined) results.push(await payment.sent(next));
      };
      await send();
      for (const work of before) await work({ db, over: pipeline, payment, sent: results });
      await send();
      const begun: Record<string, SteppedWork<unknown>> = {};
      for (const [index, connection] of Object.values(stepped).entries()) {
        const work = works[index];
        const on = { payment, sent: results };
        if (work !== undefined)
          begun[`work ${String(index)}`] = connection.begin((own, over) => work({ db: own, over, ...on }));
      }
      await schedule.run(begun);
      await Promise.all(Object.values(begun).map(({ result }) => result));

      const { state, isDue, counted, numbers, outcomes } = await payment.kept();
      seen.add(state);
      expect({ counted, numbers, outcomes: outcomes.toSorted() }).toEqual({
        counted: results.length,
        numbers: results.map((_, index) => index + 1),
        outcomes: results.map(({ outcome }) => outcome).toSorted(),
      });
      const isLater = state === 'pending' && !isDue;
      expect(isLater ? await payment.deliverAll() : []).toEqual([]);
      if (isLater) await payment.makeDue();
      const later = left.map((status) => idOf(payment, status));
      expect(await payment.deliverAll()).toEqual([...(state === 'pending' ? [payment.id] : []), ...later]);
    }, mostPreemptions);
    expect([...seen].toSorted()).toEqual(ends.toSorted());
  },
);
