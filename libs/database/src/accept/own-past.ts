import type { EventType } from '#libs/contracts';
import { sql } from 'kysely';
import type { Transaction, Queryable } from '../connection.js';

/** Companies that a payment's earlier statuses named, and consumers to which these statuses were routed. */
export interface PaymentPast {
  readonly companyIds: readonly string[];
  readonly consumerIds: readonly string[];
}

/**
 * Locks a payment until the transaction ends, so that no other status of it is accepted meanwhile. Two producers may
 * use one id for different payments (contract, "A payment"), so a status inherits only from its producer's statuses.
 * @returns the past of this producer's statuses, from the payment's row unless that has several producers (rare)
 */
export async function lockOwnPast(
  trx: Transaction,
  of: { readonly eventType: EventType; readonly paymentId: string; readonly producer: string },
): Promise<PaymentPast> {
  const { eventType, paymentId, producer } = of;
  // A payment without a status yet needs a row that can be locked; accept counts from its 0.
  await sql`
    insert into payments (event_type, payment_id, last_number, company_ids, consumer_ids)
    values (${eventType}, ${paymentId}, 0, '{}', '{}') on conflict do nothing`.execute(trx);
  const payment = await trx
    .selectFrom('payments')
    .select(['company_ids', 'consumer_ids', 'producers'])
    .where('event_type', '=', eventType)
    .where('payment_id', '=', paymentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (payment.producers.every((name) => name === producer))
    return { companyIds: payment.company_ids, consumerIds: payment.consumer_ids };
  return ownPast(trx, of);
}

/** Returns the past of a payment from this producer's own events. */
export async function ownPast(
  db: Queryable,
  of: { readonly eventType: EventType; readonly paymentId: string; readonly producer: string },
): Promise<PaymentPast> {
  const { rows } = await sql<{ company_ids: string[]; consumer_ids: string[] }>`
    select company_ids, consumer_ids::text[] as consumer_ids
    from own_payment(${of.eventType}, ${of.paymentId}, ${of.producer})`.execute(db);
  return { companyIds: rows[0]?.company_ids ?? [], consumerIds: rows[0]?.consumer_ids ?? [] };
}
