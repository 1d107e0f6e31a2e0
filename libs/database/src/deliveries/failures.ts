import type { Outcome } from '#libs/contracts';
import { sql } from 'kysely';
import type { ConsumersReadingDatabase, ReadingDatabase } from '../connection/connection.js';

/** Maximum number of characters of an answer: enough for a message in words. */
const LONGEST_ANSWER = 500;

/** Failed attempts with one cause. */
export interface FailureGroup {
  readonly outcome: Outcome;
  readonly httpStatus: number | null;
  readonly count: number;
  readonly deliveries: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly lastDetail: string;
  readonly lastDeliveryId: string;
  /** Beginning of the consumer's last answer. */
  readonly lastAnswer: string | null;
  /** Latest known difference: the consumer's clock minus the dispatcher's, in milliseconds. */
  readonly clockSkewMs: number | null;
}

/**
 * A consumer's failed attempts of a period by cause, the most frequent first. Only the newest `most` are read, from
 * an index of failures, so the cost depends neither on the history nor on the number of successes.
 */
export async function failuresByCause(
  db: ReadingDatabase | ConsumersReadingDatabase,
  of: { readonly consumerId: string; readonly from: Date; readonly to: Date; readonly most: number },
): Promise<FailureGroup[]> {
  const { rows } = await sql<FailureGroup>`
    with newest as materialized (
      select delivery_id, number, started_at, outcome, http_status, detail, clock_skew_ms from attempts
      where failed_consumer_id = ${of.consumerId} and started_at >= ${of.from} and started_at < ${of.to}
      order by started_at desc limit ${of.most}
    ),
    causes as (
    select outcome, http_status as "httpStatus", count(*)::int as count,
           count(distinct delivery_id)::int as deliveries, min(started_at) as "firstAt", max(started_at) as "lastAt",
           (array_agg(detail order by started_at desc))[1] as "lastDetail",
           (array_agg(delivery_id order by started_at desc))[1] as "lastDeliveryId",
           (array_agg(number order by started_at desc))[1] as last_number,
           ((array_agg(clock_skew_ms order by started_at desc) filter (where clock_skew_ms is not null))[1])::float8
             as "clockSkewMs"
    from newest group by outcome, http_status
    )
    select "outcome", "httpStatus", "count", "deliveries", "firstAt", "lastAt", "lastDetail", "lastDeliveryId",
           "clockSkewMs", left(a.response_body, ${LONGEST_ANSWER}::int) as "lastAnswer"
    from causes
    left join lateral (
      select response_body from attempts where delivery_id = "lastDeliveryId" and number = last_number
    ) a on true
    order by "count" desc, "lastAt" desc`.execute(db);
  return rows;
}
