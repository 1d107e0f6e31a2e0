import type { EventType } from '#libs/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Database } from '../connection.js';
import { READING } from '../database-token.js';
import type { PaymentsTable } from '../tables.js';

export type PaymentRow = Selectable<PaymentsTable>;

export interface PaymentFilter {
  readonly eventType?: EventType;
  readonly paymentId?: string;
  /** The newest. */
  readonly status?: string;
  readonly consumerId?: string;
  /** On the newest status's acceptance. */
  readonly from?: Date;
  readonly to?: Date;
  /** Restricts to payments of which this producer has posted a status. */
  readonly producer?: string;
}

/** Payments as their newest status shows them. */
@Injectable()
export class PaymentsRepository {
  constructor(@Inject(READING) private readonly db: Database) {}

  /** A live view, the one with the newest status first, one row more than `limit`. */
  async list(filter: PaymentFilter, page: { offset: number; limit: number }): Promise<PaymentRow[]> {
    const { rows } = await sql<PaymentRow>`
      with page as materialized (
        select event_type, payment_id from payments where ${condition(filter)}
        order by updated_at desc, event_type desc, payment_id desc
        offset ${page.offset} limit ${page.limit + 1}
      )
      select p.* from page join payments p using (event_type, payment_id)
      order by p.updated_at desc, p.event_type desc, p.payment_id desc`.execute(this.db);
    return rows;
  }

  find(eventType: EventType, paymentId: string): Promise<PaymentRow | undefined> {
    return this.db
      .selectFrom('payments')
      .selectAll()
      .where('event_type', '=', eventType)
      .where('payment_id', '=', paymentId)
      .executeTakeFirst();
  }
}

function condition(filter: PaymentFilter): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`true`];
  if (filter.eventType !== undefined) parts.push(sql`event_type = ${filter.eventType}`);
  if (filter.paymentId !== undefined) {
    // Both halves of the primary key, whatever the kind.
    parts.push(sql`event_type in ('ach.status', 'wire.status') and payment_id = ${filter.paymentId}`);
  }
  if (filter.status !== undefined) parts.push(sql`newest_status = ${filter.status}`);
  if (filter.consumerId !== undefined) parts.push(sql`consumer_ids @> array[${filter.consumerId}::uuid]`);
  if (filter.producer !== undefined) parts.push(sql`producers @> array[${filter.producer}::text]`);
  if (filter.from !== undefined) parts.push(sql`updated_at >= ${filter.from}`);
  if (filter.to !== undefined) parts.push(sql`updated_at < ${filter.to}`);
  return sql.join(parts, sql` and `);
}
