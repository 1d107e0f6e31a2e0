import type { EventType } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { uuids } from '../connection/columns.js';
import { ConsumersReadingDatabase, Database } from '../connection/connection.js';
import { chunksOf, type Listed } from '../lists/chunks.js';
import { visibleWatermark } from '../lists/visible-watermark.js';
import { idsAround } from '../schema/partitions.js';

export interface NotificationFilter {
  readonly consumerId: string;
  readonly eventType?: EventType;
  /** Period in which the delivery was created, usually at acceptance. */
  readonly from?: Date;
  readonly to?: Date;
}

/** Reads a consumer's own notifications, delivered or not. */
@Injectable()
export class NotificationsRepository {
  private lastRead: Promise<unknown> = Promise.resolve();

  /** `db` serves look-ups by primary key, so that they do not wait for lists. */
  constructor(
    private readonly reading: ConsumersReadingDatabase,
    private readonly db: Database,
  ) {}

  /**
   * The events of a page in the order in which their deliveries were created; one more than `limit`. An event that an
   * operator sends to another consumer is at the end of that consumer's list. A delivery keeps its creation time in
   * every state, and is listed once no older one can appear: a client that pages misses none and gets none twice. An
   * event that retention has removed keeps its position.
   */
  async list(filter: NotificationFilter, page: { offset: number; limit: number }): Promise<Listed[]> {
    const watermark = await visibleWatermark(this.reading);
    const where = condition(filter, watermark);
    const half = (table: string): RawBuilder<unknown> => sql`
      (select id, created_at from ${sql.table(table)} where ${where}
       order by created_at, id limit ${page.offset + page.limit + 1})`;
    const { rows } = await sql<Listed>`
      with page as materialized (
        select id as wanted, created_at from (${half('pending_deliveries')} union all ${half('deliveries')}) d
        order by created_at, id offset ${page.offset} limit ${page.limit + 1}
      )
      -- The length of a text that is stored apart is known without reading it.
      select d.event_id as id, coalesce(octet_length(e.body), 0) as bytes from page
      cross join lateral (
        select event_id from pending_deliveries where id = wanted
        union all select event_id from deliveries where id = wanted) d
      left join lateral (select body from events where id = d.event_id) e on true
      order by page.created_at, wanted`.execute(this.reading);
    return rows;
  }

  /**
   * Yields the stored envelopes of a page, in chunks that are read on demand. No connection is held between two
   * chunks. Envelopes that retention has removed meanwhile are omitted.
   */
  async *bodies(page: readonly Listed[]): AsyncGenerator<string[]> {
    for (const ids of chunksOf(page)) yield await this.inTurn(() => this.read(ids));
  }

  /** Reads one chunk at a time: a hundred consumers that catch up share one connection. */
  private inTurn<T>(read: () => Promise<T>): Promise<T> {
    const turn = this.lastRead.then(read);
    this.lastRead = turn.catch(() => undefined);
    return turn;
  }

  private async read(ids: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ id: string; body: string }>`
      select id, body from events where id = any (${uuids(ids, (id) => id)})`.execute(this.db);
    const bodies = new Map(rows.map(({ id, body }) => [id, body]));
    return ids.flatMap((id) => bodies.get(id) ?? []);
  }
}

function condition(filter: NotificationFilter, watermark: string): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [
    sql`consumer_id = ${filter.consumerId} and created_at < ${watermark}::timestamptz`,
    ...idsAround(filter.from, filter.to),
  ];
  if (filter.eventType !== undefined) parts.push(sql`event_type = ${filter.eventType}`);
  if (filter.from !== undefined) parts.push(sql`created_at >= ${filter.from}`);
  if (filter.to !== undefined) parts.push(sql`created_at < ${filter.to}`);
  return sql.join(parts, sql` and `);
}
