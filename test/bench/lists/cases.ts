import {
  type Database,
  ApiKeysRepository,
  ConsumersRepository,
  DeliveriesRepository,
  EventsRepository,
  NotificationsRepository,
  PaymentsRepository,
} from '#libs/database';
import type { Pools } from '#test/bench/engine/explained';
import { consumerId } from '#test/bench/lists/history';
import { sql } from 'kysely';

type Page = { readonly offset: number; readonly limit: number };

/** One list with one filter, as the api asks for it. */
export interface Case {
  readonly list: string;
  readonly filter: string;
  readonly read: (pools: Pools, page: Page) => Promise<unknown[]>;
}

/** What the filters name: the largest and a small consumer, an event, and ten days in the middle. */
export interface Named {
  readonly large: string;
  readonly small: string;
  readonly eventId: string;
  readonly from: Date;
  readonly to: Date;
}

const DAY_MS = 86_400_000;

export async function namesIn(db: Database): Promise<Named> {
  const { rows } = await sql<{ large: string; small: string; event_id: string; newest: Date }>`
    select ${sql.raw(consumerId('1'))} as large, ${sql.raw(consumerId('90'))} as small,
           (select event_id from deliveries order by id desc offset 1000 limit 1) as event_id,
           (select max(accepted_at) from events) as newest`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('there is no history');
  const daysBack = (days: number): Date => new Date(row.newest.getTime() - days * DAY_MS);
  return {
    large: row.large,
    small: row.small,
    eventId: row.event_id,
    from: daysBack(40),
    to: daysBack(30),
  };
}

/** Every list of the api with none and with each of its filters, frequent and rare values. */
export function casesOf({ large, small, eventId, from, to }: Named): Case[] {
  const deliveries = {
    none: {},
    'state=queued': { state: 'queued' },
    'state=sending': { state: 'sending' },
    'state=held': { state: 'held' },
    'state=delivered': { state: 'delivered' },
    'state=dead': { state: 'dead' },
    'state=cancelled': { state: 'cancelled' },
    'status=PROCESSED': { status: 'PROCESSED' },
    'status=RETURNED': { status: 'RETURNED' },
    'status=NONE, none': { status: 'NONE' },
    'consumerId, status=RETURNED': { consumerId: large, status: 'RETURNED' },
    'delivered=false': { delivered: false },
    'consumerId, delivered=false, from': { consumerId: large, delivered: false, from },
    'settled=false': { settled: false },
    'settled=true, none': { settled: true },
    'consumerId, large': { consumerId: large },
    'consumerId, small': { consumerId: small },
    'eventType=ach.status': { eventType: 'ach.status' },
    'eventType=wire.status': { eventType: 'wire.status' },
    paymentId: { paymentId: 'P-100000' },
    notificationId: { notificationId: eventId },
    'outcome=acknowledged': { outcome: 'acknowledged' },
    'outcome=timeout': { outcome: 'timeout' },
    'outcome=blocked_address': { outcome: 'blocked_address' },
    'outcome=reset, none': { outcome: 'reset' },
    'httpStatus=200': { httpStatus: 200 },
    'httpStatus=204': { httpStatus: 204 },
    'httpStatus=500': { httpStatus: 500 },
    'httpStatus=418': { httpStatus: 418 },
    'httpStatus=599, none': { httpStatus: 599 },
    'holdReason=circuit': { holdReason: 'circuit' },
    'holdReason=secret': { holdReason: 'secret' },
    from: { from },
    to: { to },
    'from, to': { from, to },
    'consumerId, state=dead, from, to': { consumerId: large, state: 'dead', from, to },
    'consumerId, state=delivered, from, to': { consumerId: large, state: 'delivered', from, to },
    'small consumerId, state=dead, from, to': { consumerId: small, state: 'dead', from, to },
  } as const;
  const events = {
    none: {},
    'eventType=ach.status': { eventType: 'ach.status' },
    'eventType=wire.status': { eventType: 'wire.status' },
    paymentId: { paymentId: 'P-100000' },
    'status=PROCESSED': { status: 'PROCESSED' },
    'status=RETURNED': { status: 'RETURNED' },
    'status=NONE, none': { status: 'NONE' },
    traceNumber: { traceNumber: 'T-100000' },
    imad: { imad: 'I-100007' },
    'unrouted=true': { unrouted: true },
    'unrouted=false': { unrouted: false },
    from: { from },
    to: { to },
    'from, to': { from, to },
    'own, of a frequent producer': { producer: 'payments-hub' },
    'own, of a seldom producer': { producer: 'seldom' },
  } as const;
  const transactions = {
    none: {},
    'kind=ach': { eventType: 'ach.status' },
    'kind=wire': { eventType: 'wire.status' },
    paymentId: { paymentId: 'P-100000' },
    'status=PROCESSED': { status: 'PROCESSED' },
    'status=RETURNED': { status: 'RETURNED' },
    'consumerId, large': { consumerId: large },
    'consumerId, small': { consumerId: small },
    from: { from },
    to: { to },
    'own, of a frequent producer': { producer: 'payments-hub' },
    'own, of a seldom producer': { producer: 'seldom' },
  } as const;
  const notifications = {
    'large consumer': { consumerId: large },
    'small consumer': { consumerId: small },
    'eventType=wire.status': { consumerId: large, eventType: 'wire.status' },
    from: { consumerId: large, from },
    to: { consumerId: large, to },
    'from, to': { consumerId: large, from, to },
  } as const;
  const of = <F>(
    list: string,
    filters: Readonly<Record<string, F>>,
    read: (pools: Pools, filter: F, page: Page) => Promise<unknown[]>,
  ): Case[] =>
    Object.entries(filters).map(([filter, values]) => ({
      list,
      filter,
      read: (pools, page) => read(pools, values, page),
    }));
  return [
    ...of('deliveries', deliveries, ({ db, reading }, filter, page) =>
      new DeliveriesRepository(reading, db).list(filter, page),
    ),
    ...of('events', events, ({ db, reading }, filter, page) =>
      new EventsRepository(reading, db).list(filter, page),
    ),
    ...of('transactions', transactions, ({ reading }, filter, page) =>
      new PaymentsRepository(reading).list(filter, page),
    ),
    ...of('notifications', notifications, ({ db, consumersReading }, filter, page) =>
      new NotificationsRepository(consumersReading, db).list(filter, page),
    ),
    ...of('consumers', { none: {} }, ({ db }, _, page) => new ConsumersRepository(db).list(page)),
    ...of('api-keys', { none: {} }, ({ db }, _, page) => new ApiKeysRepository(db).list({}, page)),
  ];
}
