import type { EventType } from '#libs/contracts';
import { sql } from 'kysely';
import { texts } from '../connection/columns.js';
import type { Queryable, Transaction } from '../connection/connection.js';

/** A payment as its producer knows it: two producers may use one id for different payments (contract, "A payment"). */
export interface OwnPayment {
  readonly producer: string;
  readonly eventType: EventType;
  readonly paymentId: string;
}

/** What a status without a company inherits from its producer's earlier statuses of the payment. */
export interface PaymentPast {
  /** Companies that these statuses named. */
  readonly companyIds: readonly string[];
  /** Consumers to which they were routed. */
  readonly consumerIds: readonly string[];
  /** The number of the payment's last status, of any producer. */
  readonly lastNumber: number;
}

/**
 * Returns the payments' pasts, in their order, from one snapshot: from the payment's row, or if that has several producers
 * (rare), from the producer's own events.
 */
export async function ownPasts(db: Queryable, payments: readonly OwnPayment[]): Promise<PaymentPast[]> {
  const { rows } = await sql<PaymentPast>`
    select coalesce(p.last_number, 0) as "lastNumber",
           coalesce(case when p.is_own then p.company_ids else own.company_ids end, '{}') as "companyIds",
           coalesce(case when p.is_own then p.consumer_ids else own.consumer_ids end, '{}')::text[] as "consumerIds"
    from unnest(${texts(payments, (p) => p.eventType)}, ${texts(payments, (p) => p.paymentId)},
                ${texts(payments, (p) => p.producer)}) with ordinality w (event_type, payment_id, producer, place)
    left join lateral (
      select p.*, p.producers <@ array[w.producer] as is_own from payments p
      where p.event_type = w.event_type and p.payment_id = w.payment_id limit 1
    ) p on true
    left join lateral (
      select o.company_ids, o.consumer_ids from own_payment(w.event_type, w.payment_id, w.producer) o where not p.is_own
    ) own on true
    order by w.place`.execute(db);
  return rows;
}

/** Locks a payment until the transaction ends, so that no status of it is accepted meanwhile. @returns its past */
export async function lockOwnPast(trx: Transaction, of: OwnPayment): Promise<PaymentPast> {
  const { eventType, paymentId } = of;
  // A payment without a status yet needs a row that can be locked; accept counts from its 0.
  await sql`
    insert into payments (event_type, payment_id, last_number, company_ids, consumer_ids)
    values (${eventType}, ${paymentId}, 0, '{}', '{}') on conflict do nothing`.execute(trx);
  await sql`
    select from payments where event_type = ${eventType} and payment_id = ${paymentId} for no key update`.execute(
    trx,
  );
  const [past] = await ownPasts(trx, [of]);
  if (past === undefined) throw new Error('each payment has a past, if only an empty one');
  return past;
}
