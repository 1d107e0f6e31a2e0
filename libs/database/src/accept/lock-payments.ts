import type { EventType } from '#libs/contracts';
import { sql, type RawBuilder } from 'kysely';
import { arrayLiteral, integers, texts } from '../columns.js';
import type { Database } from '../connection.js';
import { prepared } from '../prepared.js';

/** What one status change brings to its payment. `consumerIds` are the recipients known without the payment's past. */
export interface PaymentClaim {
  readonly producer: string;
  readonly eventType: EventType;
  readonly paymentId: string | null;
  readonly status: string | null;
  readonly companyIds: readonly string[];
  readonly consumerIds: readonly string[];
}

/** A payment under this transaction's lock: what is known of it, this batch's own claims included. */
export interface ClaimedPayment {
  readonly eventType: EventType;
  readonly paymentId: string;
  /** The number of the batch's last claim; the others precede it without a gap. */
  readonly lastNumber: number;
  /** Of all its producers together: see `ownPast`. */
  readonly companyIds: readonly string[];
  /** Of all its producers together. */
  readonly consumerIds: readonly string[];
  /** All that have posted a status of it. */
  readonly producers: readonly string[];
}

/** As PostgreSQL's JSON names it. */
export interface PaymentRow {
  event_type: EventType;
  payment_id: string;
  last_number: number;
  company_ids: string[];
  consumer_ids: string[];
  producers: string[];
}

export const claimedPayment = (row: PaymentRow): ClaimedPayment => ({
  eventType: row.event_type,
  paymentId: row.payment_id,
  lastNumber: row.last_number,
  companyIds: row.company_ids,
  consumerIds: row.consumer_ids,
  producers: row.producers,
});

/** What a batch brings to one payment. */
interface PaymentShare {
  readonly eventType: EventType;
  readonly paymentId: string;
  statuses: number;
  newestStatus: string | null;
  readonly companyIds: string[];
  readonly consumerIds: string[];
  readonly producers: string[];
}

/** Claims by payment, in the order in which every accept locks payments. */
export function sharesOf(claims: readonly PaymentClaim[]): PaymentShare[] {
  const shares = new Map<string, PaymentShare>();
  for (const { eventType, paymentId, status, companyIds, consumerIds, producer } of claims) {
    if (paymentId === null) continue;
    const key = `${eventType} ${paymentId}`;
    const share = shares.get(key) ?? {
      eventType,
      paymentId,
      statuses: 0,
      newestStatus: null,
      companyIds: [],
      consumerIds: [],
      producers: [],
    };
    shares.set(key, share);
    share.statuses += 1;
    share.newestStatus = status ?? share.newestStatus;
    join(share.companyIds, companyIds);
    join(share.consumerIds, consumerIds);
    join(share.producers, [producer]);
  }
  return [...shares.values()];
}

function join(known: string[], more: readonly string[]): void {
  for (const one of more) if (!known.includes(one)) known.push(one);
}

/** Writes the shares while `condition` holds, and returns the payments' rows; locks them in index order. */
export const upsertPayments = (
  shares: readonly PaymentShare[],
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  insert into payments as p (event_type, payment_id, last_number, company_ids, consumer_ids, newest_status, producers)
  select event_type, payment_id, statuses, company_ids::text[], consumer_ids::uuid[], newest_status, producers::text[]
  from unnest(
    ${texts(shares, (s) => s.eventType)}, ${texts(shares, (s) => s.paymentId)},
    ${integers(shares, (s) => s.statuses)}, ${texts(shares, (s) => arrayLiteral(s.companyIds))},
    ${texts(shares, (s) => arrayLiteral(s.consumerIds))},
    ${texts(shares, (s) => s.newestStatus)}, ${texts(shares, (s) => arrayLiteral(s.producers))}
  ) s (event_type, payment_id, statuses, company_ids, consumer_ids, newest_status, producers)
  where ${condition}
  order by event_type, payment_id
  on conflict (event_type, payment_id) do update set
    last_number = p.last_number + excluded.last_number,
    company_ids = case when excluded.company_ids <@ p.company_ids then p.company_ids
      else array(select distinct c from unnest(p.company_ids || excluded.company_ids) c) end,
    consumer_ids = case when excluded.consumer_ids <@ p.consumer_ids then p.consumer_ids
      else array(select distinct c from unnest(p.consumer_ids || excluded.consumer_ids) c) end,
    producers = case when excluded.producers <@ p.producers then p.producers
      else array(select distinct c from unnest(p.producers || excluded.producers) c) end,
    newest_status = coalesce(excluded.newest_status, p.newest_status),
    updated_at = now()
  returning p.event_type, p.payment_id, p.last_number, p.company_ids, p.consumer_ids, p.producers`;

/** Locks the payments of these claims and moves their counters. */
export async function lockPayments(trx: Database, claims: readonly PaymentClaim[]): Promise<PaymentRow[]> {
  const shares = sharesOf(claims);
  if (shares.length === 0) return [];
  const { rows } = await sql<PaymentRow>`
    ${prepared('accept-payments')}
    ${upsertPayments(shares, sql`true`)}`.execute(trx);
  return rows;
}
