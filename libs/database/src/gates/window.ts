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

/**
 * How many of consumer `c` are out: being sent, or in the queue and due. Counted no further than a window reaches. The
 * orders are the partial indexes': whatever the planner believes of a table that was empty a moment ago, another index
 * costs it a sort.
 */
export const OUT: RawBuilder<number> = sql`(
  (select count(*) from (
     select from open_deliveries o
     where o.consumer_id = c.id and o.state = 'sending' and o.lease_until > now()
     order by o.lease_until limit c.max_concurrency) s)
  + (select count(*) from (
     select from open_deliveries o
     where o.consumer_id = c.id and o.state = 'queued'
       and o.next_attempt_at <= now() + ${sql.lit(RATE_HORIZON_MS)} * interval '1 millisecond'
     order by o.next_attempt_at, o.id limit c.max_concurrency) q))`;

/** Whether any of consumer `c` are on hold at its gate. A limit, since `exists` may be planned as a hash of all of them. */
export const ANY_AT_GATE: RawBuilder<boolean> = sql`coalesce((
  select true from open_deliveries d
  where d.consumer_id = c.id and d.state = 'held' and d.hold_reason <> 'order'
  order by d.next_attempt_at, d.id limit 1), false)`;
