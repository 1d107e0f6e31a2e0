import type { EventType } from '#libs/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Selectable } from 'kysely';
import { visibleBefore } from '../accept/visible-before.js';
import type { Database } from '../connection.js';
import { DATABASE } from '../database-token.js';
import type { EventsTable } from '../tables.js';

export type EventRow = Selectable<EventsTable>;

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

/** What was accepted, read back. */
@Injectable()
export class EventsRepository {
  constructor(@Inject(DATABASE) private readonly db: Database) {}

  /**
   * Newest first, one row more than `limit`. A row shows once every accept older than its own has ended: no row
   * can then appear before one that was already shown, and whoever pages inside a fixed range misses none.
   * Ids that are not yet given out come from a restored backup of another server, and are old.
   */
  async list(filter: EventFilter, page: { offset: number; limit: number }): Promise<EventRow[]> {
    const horizon = await visibleBefore(this.db);
    let query = this.db
      .selectFrom('events')
      .selectAll()
      .where(
        sql<boolean>`(accepted_tx < ${horizon}::xid8 or accepted_tx >= pg_snapshot_xmax(pg_current_snapshot()))`,
      );
    if (filter.eventType !== undefined) query = query.where('event_type', '=', filter.eventType);
    if (filter.paymentId !== undefined) query = query.where('payment_id', '=', filter.paymentId);
    if (filter.status !== undefined) query = query.where('status', '=', filter.status);
    if (filter.traceNumber !== undefined) query = query.where('trace_number', '=', filter.traceNumber);
    if (filter.imad !== undefined) query = query.where('imad', '=', filter.imad);
    if (filter.producer !== undefined) query = query.where('producer', '=', filter.producer);
    if (filter.from !== undefined) query = query.where('accepted_at', '>=', filter.from);
    if (filter.to !== undefined) query = query.where('accepted_at', '<', filter.to);
    if (filter.unrouted !== undefined) {
      query = query.where(
        filter.unrouted
          ? sql<boolean>`consumer_ids = '{}' and not sent_by_hand`
          : sql<boolean>`(consumer_ids <> '{}' or sent_by_hand)`,
      );
    }
    return query
      .orderBy('accepted_tx', 'desc')
      .orderBy('id', 'desc')
      .offset(page.offset)
      .limit(page.limit + 1)
      .execute();
  }

  /** By notificationId; the id itself names the partition. */
  find(notificationId: string): Promise<EventRow | undefined> {
    return this.db.selectFrom('events').selectAll().where('id', '=', notificationId).executeTakeFirst();
  }
}
