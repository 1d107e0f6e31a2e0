import { sql } from 'kysely';
import type { Database } from '../connection.js';
import type { ClaimedPayment } from './lock-payments.js';

/** What earlier statuses say of a payment: the companies that they carried, and the consumers that got them. */
export interface PaymentPast {
  readonly companyIds: readonly string[];
  readonly consumerIds: readonly string[];
}

/**
 * What one producer's own statuses of a payment say. Two producers may use one id for different payments (contract,
 * "A payment"), so a status inherits nothing from another producer's. The payment's row knows it as long as it has one
 * producer, which is nearly always.
 * @param payment as `claim` returns it, this batch's statuses included; of a shared one they are not among the answer
 */
export async function ownPast(db: Database, payment: ClaimedPayment, producer: string): Promise<PaymentPast> {
  if (payment.producers.every((name) => name === producer)) return payment;
  const { rows } = await sql<{ company_ids: string[]; consumer_ids: string[] }>`
    select company_ids, consumer_ids::text[] as consumer_ids
    from own_payment(${payment.eventType}, ${payment.paymentId}, ${producer})`.execute(db);
  return { companyIds: rows[0]?.company_ids ?? [], consumerIds: rows[0]?.consumer_ids ?? [] };
}
