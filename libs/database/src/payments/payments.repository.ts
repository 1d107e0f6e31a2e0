import type { EventType } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { ReadingDatabase } from '../connection/connection.js';
import { NO_RECIPIENTS, recipientsOfPayments, type Recipients } from '../events/recipients.js';
import type { Payments } from '../schema/tables.js';

interface PaymentFilter {
  readonly eventType?: EventType;
  readonly paymentId?: string;
  /** The newest status. */
  readonly status?: string;
  readonly consumerId?: string;
  /** Period in which the newest status was accepted. */
  readonly from?: Date;
  readonly to?: Date;
  /** Restricts to this producer's own statuses. */
  readonly producer?: string;
}

/** A payment with its newest status, without companies and producers, whose number is not limited. */
type ListedPaymentRow = Pick<
  Selectable<Payments>,
  'event_type' | 'payment_id' | 'last_number' | 'consumer_ids' | 'newest_status' | 'updated_at'
>;

/** A listed payment with its recipients. */
export interface PaymentWithRecipients extends ListedPaymentRow {
  readonly recipients: Recipients;
}

const LISTED = sql`event_type, payment_id, last_number, consumer_ids, newest_status, updated_at`;

/** Reads payments with their newest status; for a producer, from its own statuses. */
@Injectable()
export class PaymentsRepository {
  constructor(private readonly db: ReadingDatabase) {}

  /** A live view, the payment with the newest status first; one row more than `limit`. */
  async list(
    filter: PaymentFilter,
    page: { offset: number; limit: number },
  ): Promise<PaymentWithRecipients[]> {
    const rows =
      filter.producer === undefined
        ? await this.listAll(filter, page)
        : await this.listOwn(filter, filter.producer, page);
    const recipients = await recipientsOfPayments(this.db, rows, filter.producer);
    return rows.map((row, index) => ({ ...row, recipients: recipients[index] ?? NO_RECIPIENTS }));
  }

  private async listAll(
    filter: PaymentFilter,
    page: { offset: number; limit: number },
  ): Promise<ListedPaymentRow[]> {
    const { rows } = await sql<ListedPaymentRow>`
      with page as materialized (
        select event_type, payment_id from payments where ${condition(filter)}
        order by updated_at desc, event_type desc, payment_id desc
        offset ${page.offset} limit ${page.limit + 1}
      )
      select ${LISTED} from page join payments using (event_type, payment_id)
      order by updated_at desc, event_type desc, payment_id desc`.execute(this.db);
    return rows;
  }

  /** @param producer restricts to its own statuses; absent: all statuses */
  async find(
    eventType: EventType,
    paymentId: string,
    producer?: string,
  ): Promise<PaymentWithRecipients | undefined> {
    const filter: PaymentFilter = { eventType, paymentId, ...(producer === undefined ? {} : { producer }) };
    const [payment] = await this.list(filter, { offset: 0, limit: 1 });
    return payment;
  }

  private async listOwn(
    filter: PaymentFilter,
    producer: string,
    page: { offset: number; limit: number },
  ): Promise<ListedPaymentRow[]> {
    const { rows } = await sql<ListedPaymentRow>`
      -- With a limit of its own, the first part is read by its index; the planner expects far too much of the second.
      (select ${LISTED} from payments where producers = array[${producer}::text] and ${condition(filter)}
       order by updated_at desc, event_type desc, payment_id desc limit ${page.offset + page.limit + 1})
      union all
      -- Where others use the same id, from the producer's own events: nothing of the others' may show, not by a filter either.
      select ${LISTED} from (
        select p.event_type, p.payment_id, own.last_number, own.newest_status, own.updated_at, own.consumer_ids
        from payments p, own_payment(p.event_type, p.payment_id, ${producer}) own
        where cardinality(p.producers) > 1 and p.producers @> array[${producer}::text]
      ) shared where ${condition(filter)}
      order by updated_at desc, event_type desc, payment_id desc
      offset ${page.offset} limit ${page.limit + 1}`.execute(this.db);
    return rows;
  }
}

function condition(filter: PaymentFilter): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`true`];
  if (filter.eventType !== undefined) parts.push(sql`event_type = ${filter.eventType}`);
  if (filter.paymentId !== undefined) {
    // Looks up both columns of the primary key, for each kind.
    parts.push(sql`event_type in ('ach.status', 'wire.status') and payment_id = ${filter.paymentId}`);
  }
  if (filter.status !== undefined) parts.push(sql`newest_status = ${filter.status}`);
  if (filter.consumerId !== undefined) parts.push(sql`consumer_ids @> array[${filter.consumerId}::uuid]`);
  if (filter.from !== undefined) parts.push(sql`updated_at >= ${filter.from}`);
  if (filter.to !== undefined) parts.push(sql`updated_at < ${filter.to}`);
  return sql.join(parts, sql` and `);
}
