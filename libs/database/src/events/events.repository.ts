import type { EventType } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import { uuids } from '../connection/columns.js';
import { Database, ReadingDatabase } from '../connection/connection.js';
import { visibleWatermark } from '../lists/visible-watermark.js';
import { idsAround } from '../schema/partitions.js';
import type { Events } from '../schema/tables.js';
import { NO_RECIPIENTS, recipientsOfEvents, type Recipients } from './recipients.js';

/** An event in lists; its size depends neither on the envelope nor on the number of consumers. */
export interface ListedEventRow extends Omit<
  Selectable<Events>,
  'body' | 'traceparent' | 'consumer_ids' | 'delivery_ids' | 'added_delivery_ids'
> {
  /** Whether it had no recipient when it was accepted, and no operator has sent it to a consumer since. */
  readonly unrouted: boolean;
}

/** A listed event with its recipients. */
export interface EventWithRecipients extends ListedEventRow {
  readonly recipients: Recipients;
}

/** One event with its envelope. */
export type EventRow = Selectable<Events> & Pick<ListedEventRow, 'unrouted'>;

export interface EventFilter {
  readonly eventType?: EventType;
  readonly paymentId?: string;
  readonly status?: string;
  readonly traceNumber?: string;
  readonly imad?: string;
  readonly unrouted?: boolean;
  readonly from?: Date;
  readonly to?: Date;
  /** Restricts to one producer's own events. */
  readonly producer?: string;
}

/** Maximum number of statuses of one payment that are read, the newest ones. */
const MOST_STATUSES = 1_000;

const UNROUTED = sql<boolean>`(consumer_ids = '{}' and added_delivery_ids = '{}')`;

/** Texts of at most 255 characters: a list of a thousand events has at most 4 MB, usually 0.4. */
const LISTED = sql`id, event_type, payment_id, number, status, trace_number, imad, event_at, accepted_at, producer,
  ${UNROUTED} as unrouted`;

/** Reads accepted events. */
@Injectable()
export class EventsRepository {
  /** `db` serves look-ups by primary key, so that they do not wait for lists. */
  constructor(
    private readonly reading: ReadingDatabase,
    private readonly db: Database,
  ) {}

  /**
   * Newest first; one row more than `limit`. A row is listed only when no older row can still be committed. So a
   * client that pages through a past period misses no row and gets none twice. The offset skips only ids; only the
   * page's rows are read completely.
   */
  async list(filter: EventFilter, page: { offset: number; limit: number }): Promise<EventWithRecipients[]> {
    const watermark = await visibleWatermark(this.reading);
    const { rows } = await sql<ListedEventRow>`
      with page as materialized (
        select id as wanted from events
        where accepted_at < ${watermark}::timestamptz and ${condition(filter)}
        order by accepted_at desc, id desc offset ${page.offset} limit ${page.limit + 1}
      )
      select e.* from page cross join lateral (
        select ${LISTED} from events where id = wanted) e
      order by e.accepted_at desc, e.id desc`.execute(this.reading);
    const ids = rows.map(({ id }) => id);
    const recipients = await recipientsOfEvents(this.reading, ids);
    return rows.map((row, index) => ({ ...row, recipients: recipients[index] ?? NO_RECIPIENTS }));
  }

  /** Summary of one event's recipients. */
  async recipients(notificationId: string): Promise<Recipients> {
    const [found] = await recipientsOfEvents(this.db, [notificationId]);
    return found ?? NO_RECIPIENTS;
  }

  /** Finds an event by its notificationId, which determines the partition. */
  find(notificationId: string): Promise<EventRow | undefined> {
    return this.db
      .selectFrom('events')
      .selectAll()
      .select(UNROUTED.as('unrouted'))
      .where('id', '=', notificationId)
      .executeTakeFirst();
  }

  /** Ids of a payment's statuses in order, the newest if there are very many; with `producer`, only its own. */
  async ofPayment(eventType: EventType, paymentId: string, producer?: string): Promise<string[]> {
    const rows = await this.db
      .selectFrom('events')
      .select('id')
      .where('event_type', '=', eventType)
      .where('payment_id', '=', paymentId)
      .$if(producer !== undefined, (query) => query.where('producer', '=', producer ?? ''))
      .orderBy('number', 'desc')
      .limit(MOST_STATUSES)
      .execute();
    return rows.map(({ id }) => id).toReversed();
  }

  /** One payment's events, in the order of their numbers. */
  async listed(ids: readonly string[]): Promise<ListedEventRow[]> {
    const { rows } = await sql<ListedEventRow>`
      select ${LISTED} from events where id = any (${uuids(ids, (id) => id)}) order by number`.execute(
      this.db,
    );
    return rows;
  }
}

function condition(filter: EventFilter): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`true`, ...idsAround(filter.from, filter.to)];
  if (filter.eventType !== undefined) parts.push(sql`event_type = ${filter.eventType}`);
  if (filter.paymentId !== undefined) parts.push(sql`payment_id = ${filter.paymentId}`);
  if (filter.status !== undefined) parts.push(sql`status = ${filter.status}`);
  if (filter.traceNumber !== undefined) parts.push(sql`trace_number = ${filter.traceNumber}`);
  if (filter.imad !== undefined) parts.push(sql`imad = ${filter.imad}`);
  if (filter.producer !== undefined) parts.push(sql`producer = ${filter.producer}`);
  if (filter.from !== undefined) parts.push(sql`accepted_at >= ${filter.from}`);
  if (filter.to !== undefined) parts.push(sql`accepted_at < ${filter.to}`);
  if (filter.unrouted !== undefined)
    parts.push(filter.unrouted ? UNROUTED : sql`(consumer_ids <> '{}' or added_delivery_ids <> '{}')`);
  return sql.join(parts, sql` and `);
}

/** Returns an event's envelope in full, after the audit entry is committed; undefined for an unknown event. */
export function readEnvelope(
  db: Database,
  notificationId: string,
  audit: AuditEntry,
): Promise<string | undefined> {
  return db.transaction().execute(async (trx) => {
    const event = await trx
      .selectFrom('events')
      .select('body')
      .where('id', '=', notificationId)
      .executeTakeFirst();
    if (event !== undefined) await recordAudit(trx, audit);
    return event?.body;
  });
}
