import {
  ConsumerHealthRepository,
  DeliveriesRepository,
  EventsRepository,
  NotificationsRepository,
  PaymentsRepository,
  QueueStateRepository,
  StatisticsRepository,
  type Database,
} from '#libs/database';
import { sql } from 'kysely';
import { consumerId } from '#test/bench/history';

/** One list of the api with one filter, or one question of a screen. */
export interface Reading {
  readonly name: string;
  readonly read: (db: Database) => Promise<unknown>;
}

const DAY_MS = 86_400_000;
const LIMIT = 100;

/** The readings on the history of `fillHistory`: frequent and rare values, large and small consumers. */
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
    read: (db: Database, filter: F, page: { offset: number; limit: number }) => Promise<unknown>,
  ): Reading[] =>
    Object.entries(filters).flatMap(([filter, values]) =>
      [0, 10_000].map((offset) => ({
        name: `${list}, ${filter}, offset ${String(offset)}`,
        read: (handle) => read(handle, values, { offset, limit: LIMIT }),
      })),
    );
  const to = new Date();
  return [
    ...of('deliveries', deliveries, (handle, filter, page) =>
      new DeliveriesRepository(handle, handle).list(filter, page),
    ),
    ...of('events', events, (handle, filter, page) =>
      new EventsRepository(handle, handle).list(filter, page),
    ),
    ...of('transactions', transactions, (handle, filter, page) =>
      new PaymentsRepository(handle).list(filter, page),
    ),
    ...of('notifications', notifications, (handle, filter, page) =>
      new NotificationsRepository(handle, handle).list(filter, page),
    ),
    { name: 'queue, pending states', read: (handle) => new QueueStateRepository(handle).pendingStates() },
    { name: 'queue, consumers', read: (handle) => new ConsumerHealthRepository(handle).conditions() },
    { name: 'queue, waiting', read: (handle) => new ConsumerHealthRepository(handle).waiting() },
    { name: 'queue, dead', read: (handle) => new ConsumerHealthRepository(handle).dead() },
    {
      name: 'stats, a day',
      read: (handle) =>
        new StatisticsRepository(handle, handle).steps({ from: daysAgo(1), to, stepSeconds: 60 }),
    },
    {
      name: 'stats, 90 days',
      read: (handle) =>
        new StatisticsRepository(handle, handle).steps({ from: daysAgo(90), to, stepSeconds: 7_200 }),
    },
  ];
}
