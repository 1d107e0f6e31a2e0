import type { EventType } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { ReadingDatabase } from '../connection/connection.js';

/** The references by which a payment is found. */
type Reference = 'payment_id' | 'trace_number' | 'imad';

/** A hit: the events of one payment, or one event without a payment. */
export interface FoundEvent {
  readonly matched_by: Reference;
  readonly event_type: EventType;
  readonly payment_id: string | null;
  /** The newest matching event, and its status. */
  readonly id: string;
  readonly status: string | null;
  readonly events: number;
}

export interface FoundConsumer {
  readonly id: string;
  readonly name: string;
  readonly matched_by: 'external_id' | 'consumer_name';
}

/**
 * Maximum number of matching events that are read, the newest ones: all entries of a batch can share a trace number.
 */
const MOST_EVENTS = 500;

const matching = (column: Reference, wanted: string, and: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (select ${sql.lit(column)} as matched_by, id, event_type, payment_id, status,
          delivery_ids || added_delivery_ids as delivery_ids
   from events where ${sql.ref(column)} = ${wanted} and ${and} order by id desc limit ${MOST_EVENTS})`;

/** The events with exactly this payment id, trace number or IMAD, the newest of each. @param and a condition on `events` */
export const eventsWith = (wanted: string, and: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  ${matching('payment_id', wanted, and)} union all ${matching('trace_number', wanted, and)}
  union all ${matching('imad', wanted, and)}`;

/** Finds what has a given id or reference; each look-up uses an index. */
@Injectable()
export class SearchRepository {
  constructor(private readonly reading: ReadingDatabase) {}

  /**
   * Finds payments by exact payment id, trace number or IMAD; the one with the newest event first.
   * @param producer restricts to its own events; absent: all events
   */
  async events(wanted: string, limit: number, producer?: string): Promise<FoundEvent[]> {
    const own = producer === undefined ? sql`true` : sql`producer = ${producer}`;
    const { rows } = await sql<FoundEvent>`
      with found as materialized (${eventsWith(wanted, own)})
      select matched_by, event_type, payment_id, (array_agg(id order by id desc))[1] as id,
             (array_agg(status order by id desc))[1] as status, count(*)::int as events
      from found
      -- Each event without a payment is a result of its own.
      group by matched_by, event_type, payment_id, case when payment_id is null then id end
      order by max(id::text) desc limit ${limit}`.execute(this.reading);
    return rows;
  }

  /** Finds live consumers by external id or by the beginning of their name, case-insensitively. */
  async consumers(wanted: string, limit: number): Promise<FoundConsumer[]> {
    const beginning = `${wanted.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
    const { rows } = await sql<FoundConsumer>`
      (select id, name, 'external_id' as matched_by from consumers
       where external_id = ${wanted} and deleted_at is null)
      union all
      (select id, name, 'consumer_name' from consumers
       where lower(name) like ${beginning} and external_id is distinct from ${wanted} and deleted_at is null
       order by lower(name), id limit ${limit})`.execute(this.reading);
    return rows;
  }
}
