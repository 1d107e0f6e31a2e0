import {
  ConsumerHealthRepository,
  DeliveriesRepository,
  EventsRepository,
  NotificationsRepository,
  PaymentsRepository,
  QueueStateRepository,
  StatisticsRepository,
  type ConsumersReadingDatabase,
  type Database,
  type ReadingDatabase,
} from '#libs/database';
import { sql } from 'kysely';
import { consumerId } from '#test/bench/history';

/** The pools that the lists of the api read from. */
export interface Pools {
  readonly commands: Database;
  readonly lists: ReadingDatabase;
  readonly consumers: ConsumersReadingDatabase;
}

/** One list of the api with one filter, or one query of a screen. */
export interface Reading {
  readonly name: string;
  readonly read: (pools: Pools) => Promise<unknown>;
}

const DAY_MS = 86_400_000;
const LIMIT = 100;

/** Readings of the history of `fillHistory`, with frequent and rare values, large and small consumers. */
export async function readingsOf(db: Database): Promise<Reading[]> {
  const { rows } = await sql<{ large: string; small: string }>`
    select ${sql.raw(consumerId(1))} as large, ${sql.raw(consumerId(90))} as small`.execute(db);
  const { large = '', small = '' } = rows[0] ?? {};
  const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
  const period = { from: daysAgo(40), to: daysAgo(30) };
  const deliveries = {
    'no filter': {},
    'state=queued': { state: 'queued' },
    'state=held': { state: 'held' },
    'state=delivered': { state: 'delivered' },
    'state=dead': { state: 'dead' },
    'status=RETURNED': { status: 'RETURNED' },
    'consumerId of a large consumer': { consumerId: large },
    'consumerId of a small consumer': { consumerId: small },
    'consumerId, state=dead, from, to': { consumerId: large, state: 'dead', ...period },
    'consumerId, delivered=false, from': { consumerId: large, delivered: false, from: period.from },
    'settled=false': { settled: false },
    paymentId: { paymentId: 'P-10000' },
    'httpStatus=418': { httpStatus: 418 },
    'holdReason=circuit': { holdReason: 'circuit' },
    'from, to': period,
  } as const;
  const events = {
    'no filter': {},
    'status=RETURNED': { status: 'RETURNED' },
    traceNumber: { traceNumber: 'T-10000' },
    'unrouted=true, no row': { unrouted: true },
    'a rare producer': { producer: 'rare' },
    'from, to': period,
  } as const;
  const transactions = {
    'no filter': {},
    'status=RETURNED': { status: 'RETURNED' },
    'consumerId of a small consumer': { consumerId: small },
    'a rare producer': { producer: 'rare' },
  } as const;
  const notifications = {
    'a large consumer': { consumerId: large },
    'a small consumer, from, to': { consumerId: small, ...period },
  } as const;
  const of = <F>(
    list: string,
    filters: Readonly<Record<string, F>>,
    read: (pools: Pools, filter: F, page: { offset: number; limit: number }) => Promise<unknown>,
  ): Reading[] =>
    Object.entries(filters).flatMap(([filter, values]) =>
      [0, 10_000].map((offset) => ({
        name: `${list}, ${filter}, offset ${String(offset)}`,
        read: (pools) => read(pools, values, { offset, limit: LIMIT }),
      })),
    );
  const to = new Date();
  return [
    ...of('deliveries', deliveries, ({ commands, lists }, filter, page) =>
      new DeliveriesRepository(lists, commands).list(filter, page),
    ),
    ...of('events', events, ({ commands, lists }, filter, page) =>
      new EventsRepository(lists, commands).list(filter, page),
    ),
    ...of('transactions', transactions, ({ lists }, filter, page) =>
      new PaymentsRepository(lists).list(filter, page),
    ),
    ...of('notifications', notifications, ({ commands, consumers }, filter, page) =>
      new NotificationsRepository(consumers, commands).list(filter, page),
    ),
    { name: 'queue, pending states', read: ({ lists }) => new QueueStateRepository(lists).pendingStates() },
    { name: 'queue, consumers', read: ({ lists }) => new ConsumerHealthRepository(lists).conditions() },
    { name: 'queue, waiting', read: ({ lists }) => new ConsumerHealthRepository(lists).waiting() },
    { name: 'queue, dead', read: ({ lists }) => new ConsumerHealthRepository(lists).dead() },
    {
      name: 'stats, a day',
      read: ({ commands, lists }) =>
        new StatisticsRepository(commands, lists).steps({ from: daysAgo(1), to, stepSeconds: 60 }),
    },
    {
      name: 'stats, 90 days',
      read: ({ commands, lists }) =>
        new StatisticsRepository(commands, lists).steps({ from: daysAgo(90), to, stepSeconds: 7_200 }),
    },
  ];
}
