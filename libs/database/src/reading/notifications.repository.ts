import type { EventType } from '#libs/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../connection.js';
import { READING } from '../database-token.js';
import { idsAround } from './id-range.js';
import { writtenBefore } from './written-before.js';

export interface NotificationFilter {
  readonly consumerId: string;
  readonly eventType?: EventType;
  /** On the moment at which it was made the consumer's, at acceptance mostly. */
  readonly from?: Date;
  readonly to?: Date;
}

/** What was made a consumer's, whatever became of it. */
@Injectable()
export class NotificationsRepository {
  constructor(@Inject(READING) private readonly db: Database) {}

  /**
   * Envelopes in the order in which their deliveries were made, one more than `limit`: an event that is sent to one
   * more consumer by hand is at the end of that one's list. A delivery keeps its time through every state, and shows
   * once nothing older can appear: whoever pages misses none and gets none twice.
   * @returns null for an event that retention has dropped before its late delivery
   */
  async list(
    filter: NotificationFilter,
    page: { offset: number; limit: number },
  ): Promise<(string | null)[]> {
    const horizon = await writtenBefore(this.db, 'open_deliveries');
    const where = condition(filter, horizon);
    const half = (table: string): RawBuilder<unknown> => sql`
      (select id, created_at from ${sql.table(table)} where ${where}
       order by created_at, id limit ${page.offset + page.limit + 1})`;
    const { rows } = await sql<{ body: string | null }>`
      with page as materialized (
        select id as wanted, created_at from (${half('open_deliveries')} union all ${half('deliveries')}) d
        order by created_at, id offset ${page.offset} limit ${page.limit + 1}
      )
      select e.body from page
      cross join lateral (
        select event_id from open_deliveries where id = wanted
        union all select event_id from deliveries where id = wanted) d
      left join lateral (select body from events where id = d.event_id) e on true
      order by page.created_at, wanted`.execute(this.db);
    return rows.map((row) => row.body);
  }
}

function condition(filter: NotificationFilter, horizon: string): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [
    sql`consumer_id = ${filter.consumerId} and created_at < ${horizon}::timestamptz`,
    ...idsAround(filter.from, filter.to),
  ];
  if (filter.eventType !== undefined) parts.push(sql`event_type = ${filter.eventType}`);
  if (filter.from !== undefined) parts.push(sql`created_at >= ${filter.from}`);
  if (filter.to !== undefined) parts.push(sql`created_at < ${filter.to}`);
  return sql.join(parts, sql` and `);
}
