import type { EventType, RecipientState } from '#libs/contracts';
import { sql, type RawBuilder } from 'kysely';
import { texts, uuids } from '../connection/columns.js';
import type { Queryable } from '../connection/connection.js';

/** Recipients of an event or payment: counts by state, and three of them by name, the worst state first. */
export interface Recipients extends Readonly<Record<RecipientState, number>> {
  readonly total: number;
  readonly named: readonly {
    readonly consumerId: string;
    readonly consumerName: string;
    readonly state: RecipientState;
    /** When the delivery was finished; null while it is waiting. */
    readonly at: string | null;
  }[];
}

const NAMED = 3;
/** Maximum number of a payment's deliveries that are read, the newest pending and the newest finished ones. */
const MOST_OF_PAYMENT = 1_000;
export const NO_RECIPIENTS: Recipients = {
  total: 0,
  waiting: 0,
  delivered: 0,
  dead: 0,
  settled: 0,
  cancelled: 0,
  named: [],
};

/**
 * The recipients of each event, in the order of the ids. One statement for all events; it looks up each delivery by
 * primary key.
 */
export function recipientsOfEvents(db: Queryable, ids: readonly string[]): Promise<Recipients[]> {
  return recipients(
    db,
    ids.length,
    sql`
      own as materialized (
        select w.place, unnest(e.delivery_ids || e.added_delivery_ids) as wanted
        from unnest(${uuids(ids, (id) => id)}) with ordinality w (id, place)
        cross join lateral (select * from events v where v.id between w.id and w.id order by v.id limit 1) e
      ),
      found as (
        select own.place, d.consumer_id, d.state, d.at from own cross join lateral (
          (${WAITING} from pending_deliveries p where p.id = wanted)
          union all (${FINISHED} from deliveries f where f.id = wanted)) d
      )`,
  );
}

/**
 * The recipients of each payment; for a consumer with several of its statuses, the worst state counts.
 * @param producer restricts to its own statuses; absent: all statuses
 */
export function recipientsOfPayments(
  db: Queryable,
  payments: readonly { readonly event_type: EventType; readonly payment_id: string }[],
  producer?: string,
): Promise<Recipients[]> {
  const newest = sql`order by id desc limit ${MOST_OF_PAYMENT}`;
  const own =
    producer === undefined
      ? sql`true`
      : sql`(select e.producer from events e where e.id = d.event_id) = ${producer}`;
  return recipients(
    db,
    payments.length,
    sql`
      found as (
        select w.place, d.consumer_id, d.state, d.at
        from unnest(${texts(payments, (p) => p.event_type)}, ${texts(payments, (p) => p.payment_id)})
          with ordinality w (event_type, payment_id, place)
        cross join lateral (
          (${WAITING}, p.event_id from pending_deliveries p
           where p.payment_id = w.payment_id and p.event_type = w.event_type ${newest})
          union all (${FINISHED}, f.event_id from deliveries f
           where f.payment_id = w.payment_id and f.event_type = w.event_type ${newest})) d
        where ${own}
      )`,
  );
}

const WAITING = sql`select p.consumer_id, 'waiting' as state, null::timestamptz as at`;
const FINISHED = sql`select f.consumer_id,
  case when f.state = 'dead' and f.settled_at is not null then 'settled' else f.state end as state, f.finished_at as at`;

/** @param found common table expressions; `found` has place, consumer, state and time */
async function recipients(db: Queryable, count: number, found: RawBuilder<unknown>): Promise<Recipients[]> {
  if (count === 0) return [];
  const { rows } = await sql<Recipients & { place: string }>`
    with ${found},
    worst as (
      select distinct on (place, consumer_id) place, consumer_id, state, at,
             array_position(array['dead', 'waiting', 'cancelled', 'settled', 'delivered'], state) as rank
      from found order by place, consumer_id, rank, at desc
    ),
    ranked as (select *, row_number() over (partition by place order by rank, consumer_id) as turn from worst)
    select place, count(*)::int as total,
           (count(*) filter (where state = 'waiting'))::int as waiting,
           (count(*) filter (where state = 'delivered'))::int as delivered,
           (count(*) filter (where state = 'dead'))::int as dead,
           (count(*) filter (where state = 'settled'))::int as settled,
           (count(*) filter (where state = 'cancelled'))::int as cancelled,
           json_agg(json_build_object('consumerId', consumer_id,
             'consumerName', (select c.name from consumers c where c.id = consumer_id), 'state', state, 'at', at)
             order by turn) filter (where turn <= ${NAMED}) as named
    from ranked group by place`.execute(db);
  const byPlace = new Map(rows.map(({ place, ...row }) => [Number(place), row]));
  return Array.from({ length: count }, (_, index) => byPlace.get(index + 1) ?? NO_RECIPIENTS);
}
