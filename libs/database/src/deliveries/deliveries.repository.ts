import {
  FINAL_STATES,
  PENDING_STATES,
  type DeliveryFilter,
  type DeliveryState,
  type EndReason,
  type EventType,
  type HoldReason,
  type Outcome,
} from '#libs/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { uuids } from '../connection/columns.js';
import { Database, ReadingDatabase, type ConsumersReadingDatabase } from '../connection/connection.js';
import type { Attempts } from '../schema/tables.js';
import { eventsWith } from '../lists/search.repository.js';
import { idsAround } from '../schema/partitions.js';

export type AttemptRow = Selectable<Attempts>;

/** A delivery, pending or finished, in one form. */
export interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly consumer_id: string;
  readonly consumer_name: string;
  readonly event_type: EventType;
  readonly payment_id: string | null;
  readonly number: number | null;
  readonly status: string | null;
  readonly state: DeliveryState;
  readonly hold_reason: HoldReason | null;
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly last_outcome: Outcome | null;
  readonly last_http_status: number | null;
  readonly created_at: Date;
  readonly first_attempt_at: Date | null;
  readonly finished_at: Date | null;
  readonly held_since: Date | null;
  readonly end_reason: EndReason | null;
  readonly settled_at: Date | null;
  readonly settled_by: string | null;
  readonly settle_reason: string | null;
}

/** The filter of a list. */
export interface ListedDeliveries extends DeliveryFilter {
  /** A payment id, trace number or IMAD. */
  readonly reference?: string;
}

/**
 * Selects finished deliveries in the form of the list; the view `pending_delivery_states` has pending ones in this
 * form.
 */
export const FINISHED = sql`select id, event_id, consumer_id,
  (select c.name from consumers c where c.id = consumer_id) as consumer_name, event_type, payment_id, number, status, state,
  null::text as hold_reason, attempts, null::timestamptz as next_attempt_at, last_outcome, last_http_status, created_at,
  first_attempt_at, finished_at, null::timestamptz as held_since, end_reason,
  settled_at, settled_by, settle_reason from deliveries`;

const isOneOf = (states: readonly DeliveryState[], state: DeliveryState | undefined): boolean =>
  states.some((one) => one === state);

/** Attempts per chunk: with 4 KiB of body and 16 KiB of headers each, about 200 KiB. */
const ATTEMPTS_AT_ONCE = 8;

/** Reads deliveries from both tables, pending and finished, as one list. */
@Injectable()
export class DeliveriesRepository {
  /** `db` serves look-ups by primary key, so that they do not wait for lists. */
  constructor(
    @Inject(ReadingDatabase) private readonly reading: ReadingDatabase | ConsumersReadingDatabase,
    private readonly db: Database,
  ) {}

  /**
   * A live view, newest first; one row more than `limit`. Search, offset and merge use only ids, mostly from an
   * index; only the page's rows are read completely (docs/adr/0018-lists.md).
   */
  async list(filter: ListedDeliveries, page: { offset: number; limit: number }): Promise<DeliveryRow[]> {
    // Each half reads no further than the end of the page; the union sorts these few rows.
    const found = deliveriesWith(filter);
    const half = (table: string, where: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      (select id from ${sql.table(table)} where ${where} and ${found}
       order by id desc limit ${page.offset + page.limit + 1})`;
    // The pending state is computed only when the filter needs it.
    const isDerived = filter.state !== undefined || filter.holdReason !== undefined;
    const table = isDerived ? 'pending_delivery_states' : 'pending_deliveries';
    const { pending, finished } = halvesOf(filter);
    const halves = [
      ...(pending ? [half(table, condition(filter))] : []),
      ...(finished ? [half('deliveries', finishedCondition(filter))] : []),
    ];
    if (halves.length === 0) return [];
    const { rows } = await sql<DeliveryRow>`
      with page as materialized (
        select id as wanted from (${sql.join(halves, sql` union all `)}) d
        order by id desc offset ${page.offset} limit ${page.limit + 1}
      )
      select d.* from page
      cross join lateral (
        (select * from pending_delivery_states where id = wanted) union all (${FINISHED} where id = wanted)) d
      order by d.id desc`.execute(this.reading);
    return rows;
  }

  async find(id: string): Promise<DeliveryRow | undefined> {
    const { rows } = await sql<DeliveryRow>`
      (select * from pending_delivery_states where id = ${id}) union all (${FINISHED} where id = ${id}) limit 1`.execute(
      this.db,
    );
    return rows[0];
  }

  /** An event's deliveries, in the order of their creation. */
  async ofEvent(notificationId: string): Promise<DeliveryRow[]> {
    return (await this.ofEvents([notificationId])).get(notificationId) ?? [];
  }

  /** The deliveries of several events, each event's in the order of their creation. */
  async ofEvents(notificationIds: readonly string[]): Promise<Map<string, DeliveryRow[]>> {
    const { rows } = await sql<DeliveryRow>`
      with own as materialized (
        select unnest(delivery_ids || added_delivery_ids) as wanted from events
        where id = any (${uuids(notificationIds, (id) => id)})
      )
      -- By the key of either table: one delivery at a time, so that PostgreSQL looks in one partition for each.
      select d.* from own
      cross join lateral (
        (select * from pending_delivery_states where id = wanted) union all (${FINISHED} where id = wanted)) d
      order by d.id`.execute(this.db);
    return Map.groupBy(rows, (row) => row.event_id);
  }

  /**
   * Yields the attempts that a delivery had when its row was read, in order, in chunks that are read on demand. Probes and
   * manual retries can add up to thousands, each with up to 20 KiB of the consumer's answer.
   *
   * The row's count and the attempt are written in one transaction, and a recorded attempt does not change: so the row and
   * these attempts are those of one moment.
   */
  async *attempts({ id, attempts }: Pick<DeliveryRow, 'id' | 'attempts'>): AsyncGenerator<AttemptRow[]> {
    let last: number | undefined = 0;
    while (last !== undefined) {
      const rows: AttemptRow[] = await this.db
        .selectFrom('attempts')
        .selectAll()
        .where('delivery_id', '=', id)
        .where('number', '>', last)
        .where('number', '<=', attempts)
        .orderBy('number')
        .limit(ATTEMPTS_AT_ONCE)
        .execute();
      yield rows;
      last = rows.length < ATTEMPTS_AT_ONCE ? undefined : rows.at(-1)?.number;
    }
  }

  /** One attempt: the newest, or the one with this number. */
  attempt(deliveryId: string, number?: number): Promise<AttemptRow | undefined> {
    return this.db
      .selectFrom('attempts')
      .selectAll()
      .where('delivery_id', '=', deliveryId)
      .$if(number !== undefined, (query) => query.where('number', '=', number ?? 0))
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
  }
}

/** A finished delivery that is dead and not settled. Written out, so that the partial index applies. */
export const DEAD_OPEN = sql`state = 'dead' and settled_at is null`;

/** Whether deliveries of a filter can be pending, and whether they can be finished. */
export const halvesOf = (
  filter: DeliveryFilter,
): { readonly pending: boolean; readonly finished: boolean } => ({
  pending: filter.settled === undefined && filter.delivered !== true && !isOneOf(FINAL_STATES, filter.state),
  finished:
    filter.holdReason === undefined && filter.waiting !== true && !isOneOf(PENDING_STATES, filter.state),
});

/** Conditions of a filter on `deliveries`. */
export function finishedCondition(filter: DeliveryFilter): RawBuilder<unknown> {
  const { state, settled, delivered } = filter;
  const parts = [condition(filter)];
  if (filter.missed === true) parts.push(sql`state <> 'delivered'`);
  if (filter.openOrDelivered === true) parts.push(sql`(state = 'delivered' or ${DEAD_OPEN})`);
  if (settled !== undefined) parts.push(settled ? sql`state = 'dead' and settled_at is not null` : DEAD_OPEN);
  if (delivered === true) parts.push(sql`state = 'delivered'`);
  if (delivered === false)
    parts.push(state === 'cancelled' || settled === true ? sql`state <> 'delivered'` : DEAD_OPEN);
  return sql.join(parts, sql` and `);
}

/** Conditions of a filter on `pending_delivery_states` or `pending_deliveries`. */
export function condition(filter: DeliveryFilter): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`true`, ...idsAround(filter.from, filter.to), ...within(filter)];
  if (filter.state !== undefined) parts.push(sql`state = ${sql.lit(filter.state)}`);
  if (filter.consumerId !== undefined) parts.push(sql`consumer_id = ${filter.consumerId}`);
  if (filter.status !== undefined) parts.push(sql`status = ${filter.status}`);
  if (filter.eventType !== undefined) parts.push(sql`event_type = ${filter.eventType}`);
  if (filter.paymentId !== undefined) parts.push(sql`payment_id = ${filter.paymentId}`);
  if (filter.notificationId !== undefined) {
    // The event has the ids of its deliveries; there is no index of deliveries by event.
    parts.push(sql`id = any (array(
      select unnest(e.delivery_ids || e.added_delivery_ids) from events e where e.id = ${filter.notificationId}))`);
  }
  if (filter.outcome !== undefined) parts.push(sql`last_outcome = ${sql.lit(filter.outcome)}`);
  if (filter.httpStatus !== undefined) parts.push(sql`last_http_status = ${sql.lit(filter.httpStatus)}`);
  if (filter.holdReason !== undefined) parts.push(sql`hold_reason = ${filter.holdReason}`);
  if (filter.from !== undefined) parts.push(sql`created_at >= ${filter.from}`);
  if (filter.to !== undefined) parts.push(sql`created_at < ${filter.to}`);
  return sql.join(parts, sql` and `);
}

/** The condition for a reference: the events have the ids of their deliveries; there is no index of deliveries by event. */
function deliveriesWith({ reference, consumerId }: ListedDeliveries): RawBuilder<unknown> {
  if (reference === undefined) return sql`true`;
  // Events of others do not use up the number of events that are read. A consumer that was added later is not in consumer_ids.
  const own =
    consumerId === undefined
      ? sql`true`
      : sql`(consumer_ids @> array[${consumerId}::uuid] or added_delivery_ids <> '{}')`;
  return sql`id = any (array(select unnest(e.delivery_ids) from (${eventsWith(reference, own)}) e))`;
}

/**
 * A condition on stored columns that every row of a derived state meets. Without it PostgreSQL derives the state of
 * every pending delivery: 1.2 s for 400,000, instead of 0.1 s.
 */
function within({ state, holdReason }: DeliveryFilter): RawBuilder<unknown>[] {
  const ofConsumers = (ids: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`consumer_id = any (array(${ids}))`;
  if (state === 'sending') return [sql`id = any (array(select unnest(sending) from workers))`];
  switch (holdReason) {
    case 'paused': {
      const paused = ofConsumers(sql`select id from consumers where paused_at is not null`);
      return [sql`((select paused_at from dispatcher_state) is not null or ${paused})`];
    }
    case 'secret':
      return [ofConsumers(sql`select consumer_id from consumer_runtime where secret_fault_at is not null`)];
    case 'circuit':
      return [ofConsumers(sql`select consumer_id from consumer_runtime where circuit_opened_at is not null`)];
    case 'concurrency':
      return [ofConsumers(sql`select unnest(at_limit) from workers`)];
    case 'record':
      // The condition of the index on held deliveries.
      return [
        sql`id = any (array(select id from pending_deliveries where held_session is not null and record_refused_at is not null))`,
      ];
    case 'order':
    case undefined:
      return [];
  }
}
