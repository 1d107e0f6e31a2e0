import { AILING_CONCURRENCY, AILING_FAILURES, RATE_HORIZON_MS } from '#libs/delivery';
import { sql, type RawBuilder } from 'kysely';

/**
 * How many deliveries of a consumer `c`, with the gate `g`, are let out of PostgreSQL at a time: as many as may be
 * sent at once, and with `maxPerSecond` no more than can go within the horizon.
 */
export const WINDOW: RawBuilder<number> = sql`least(
  case when g.failures >= ${sql.lit(AILING_FAILURES)} then least(c.max_concurrency, ${sql.lit(AILING_CONCURRENCY)})
    else c.max_concurrency end,
  case when c.max_per_second is null then c.max_concurrency
    else greatest(1, c.max_per_second * ${sql.lit(RATE_HORIZON_MS)} / 1000) end)`;

/** How many of consumer `c` are out: being sent, or in the queue and due. Counted no further than a window reaches. */
export const OUT: RawBuilder<number> = sql`(
  (select count(*) from (
     select from open_deliveries o
     where o.consumer_id = c.id and o.state = 'sending' and o.lease_until > now() limit c.max_concurrency) s)
  + (select count(*) from (
     select from open_deliveries o
     where o.consumer_id = c.id and o.state = 'queued'
       and o.next_attempt_at <= now() + ${sql.lit(RATE_HORIZON_MS)} * interval '1 millisecond'
     limit c.max_concurrency) q))`;
