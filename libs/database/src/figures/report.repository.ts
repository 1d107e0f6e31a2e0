import { LATENCY_BOUNDS_MS } from '#libs/policy';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { ReadingDatabase } from '../connection/connection.js';
import { idsAround } from '../schema/partitions.js';

export interface ReportRange {
  readonly from: Date;
  readonly to: Date;
  readonly lateAfterMs: number;
}

/** Figures of one consumer, or of all together (null); durations in milliseconds. */
export interface ReportFigures {
  readonly consumer_id: string | null;
  readonly accepted: number;
  readonly delivered: number;
  readonly late: number;
  readonly replayed_or_paused: number;
  readonly dead: number;
  readonly cancelled: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

/** A consumer of the report, removed or not, and the time for which its circuit was open in the period. */
interface ReportConsumer {
  readonly id: string;
  readonly name: string;
  readonly downtime_ms: number;
}

/** Figures from the statistics of each minute, with a histogram instead of single deliveries. */
export interface CountedFigures extends Omit<
  ReportFigures,
  'late' | 'replayed_or_paused' | 'p50_ms' | 'p95_ms'
> {
  /** Histogram in the form of `stats_minutes`. */
  readonly latency: number[];
}

/** Reads the report on the deliveries of a period by consumer. */
@Injectable()
export class ReportRepository {
  constructor(private readonly reading: ReadingDatabase) {}

  /** Estimates the number of deliveries accepted in a period from statistics, which are few rows. */
  async size({ from, to }: ReportRange): Promise<number> {
    const { rows } = await sql<{ accepted: number }>`
      select coalesce(sum(accepted), 0)::float8 as accepted from stats_minutes
      where consumer_id is not null and minute >= ${from} and minute < ${to}`.execute(this.reading);
    return rows[0]?.accepted ?? 0;
  }

  /**
   * Counts all deliveries accepted in the period by their current state. Both tables are read by ranges of their ids
   * in one snapshot, so that a delivery that finishes meanwhile is counted once. A delivery has a time if it was
   * delivered without a replay, and sending to its consumer was not paused between its acceptance and its end.
   */
  async exact(range: ReportRange): Promise<ReportFigures[]> {
    const { rows } = await sql<ReportFigures>`
      with pauses as (
        select consumer_id, range_agg(tstzrange(began_at, ended_at)) as times
        from (
          select consumer_id, began_at, ended_at from excluded_downtime
          where consumer_id is not null and cause = 'paused' and ended_at > ${range.from}
          union all
          select c.id, x.began_at, x.ended_at from excluded_downtime x cross join consumers c
          where x.consumer_id is null and x.cause = 'paused' and x.ended_at > ${range.from}
        ) pause
        group by consumer_id
      ),
      made as (
        select d.consumer_id, d.state,
               case when d.state = 'delivered' and not d.replayed
                         and p.times && tstzrange(d.created_at, greatest(d.created_at, d.finished_at)) is not true
                    then extract(epoch from d.finished_at - d.created_at) * 1000 end as ms
        from deliveries d left join pauses p using (consumer_id) where ${madeIn(range)}
        union all
        select consumer_id, 'pending', null from pending_deliveries where ${madeIn(range)}
      )
      select consumer_id, count(*)::int as accepted,
             count(*) filter (where state = 'delivered')::int as delivered,
             count(*) filter (where ms > ${range.lateAfterMs}::int)::int as late,
             count(*) filter (where state = 'delivered' and ms is null)::int as replayed_or_paused,
             count(*) filter (where state = 'dead')::int as dead,
             count(*) filter (where state = 'cancelled')::int as cancelled,
             round(percentile_disc(0.5) within group (order by ms))::float8 as p50_ms,
             round(percentile_disc(0.95) within group (order by ms))::float8 as p95_ms
      from made group by grouping sets ((consumer_id), ())`.execute(this.reading);
    return rows;
  }

  /**
   * The counts of all processes in the minutes of the period. Delivered and dead deliveries count in the minute of
   * their end, not of their acceptance.
   */
  async counted(range: ReportRange): Promise<CountedFigures[]> {
    const minutes = sql`consumer_id is not null and minute >= ${range.from} and minute < ${range.to}`;
    const { rows } = await sql<CountedFigures>`
      with sums as (
        select consumer_id, sum(accepted)::float8 as accepted, sum(delivered)::float8 as delivered,
               sum(dead)::float8 as dead
        from stats_minutes where ${minutes} group by grouping sets ((consumer_id), ())
      ),
      -- Most places of a histogram are empty, and cost most of the time.
      of_each as materialized (
        select consumer_id, l.bucket, sum(l.deliveries)::float8 as deliveries
        from stats_minutes cross join lateral unnest(latency) with ordinality l (deliveries, bucket)
        where ${minutes} and l.deliveries > 0 group by consumer_id, l.bucket
      ),
      buckets as (
        select * from of_each union all select null, bucket, sum(deliveries) from of_each group by bucket
      ),
      -- Exact, by the index of what is cancelled.
      cancelled as (
        select consumer_id, count(*)::float8 as cancelled from deliveries
        where state = 'cancelled' and ${madeIn(range)} group by grouping sets ((consumer_id), ())
      )
      select s.consumer_id, accepted, delivered, dead, coalesce(cancelled, 0) as cancelled,
             array(select coalesce(sum(b.deliveries), 0) from generate_series(1, ${LATENCY_BOUNDS_MS.length}::int) place
                   left join buckets b on b.bucket = place and b.consumer_id is not distinct from s.consumer_id
                   group by place order by place) as latency
      from sums s left join cancelled c on c.consumer_id is not distinct from s.consumer_id`.execute(
      this.reading,
    );
    return rows;
  }

  /**
   * Consumers sorted by name: existing ones, and removed ones that had an open circuit or are in `counted`. Downtime
   * comes from the audit entries of circuits that closed since the beginning of the period (an entry has the time of
   * the opening), and from circuits that are open now. It ends at the end of the period or with the consumer's
   * removal.
   */
  async consumers({ from, to }: ReportRange, counted: readonly string[]): Promise<ReportConsumer[]> {
    const { rows } = await sql<ReportConsumer>`
      with open as (
        select substring(target from 10)::uuid as consumer_id, (details ->> 'openedAt')::timestamptz as opened, at as closed
        from audit_log where action = 'consumer.circuit_closed' and at > ${from} and details ? 'openedAt'
        union all
        select consumer_id, circuit_opened_at, now() from consumer_runtime where circuit_opened_at < ${to}
      ),
      down as (
        select c.id, sum(greatest(0, extract(epoch from least(o.closed, ${to}, c.deleted_at) - greatest(o.opened, ${from}))))
                       * 1000 as ms
        from open o join consumers c on c.id = o.consumer_id group by c.id
      )
      select c.id, c.name, coalesce(round(down.ms), 0)::float8 as downtime_ms
      from consumers c left join down on down.id = c.id
      where (c.deleted_at is null and c.created_at < ${to}) or down.ms > 0 or c.id = any (${counted}::uuid[])
      order by lower(c.name), c.id`.execute(this.reading);
    return rows;
  }
}

const madeIn = ({ from, to }: ReportRange): RawBuilder<unknown> =>
  sql.join([...idsAround(from, to), sql`created_at >= ${from}`, sql`created_at < ${to}`], sql` and `);
