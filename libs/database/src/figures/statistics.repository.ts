import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { arrayLiteral, instants, integers, texts, uuids } from '../connection/columns.js';
import { type ConsumersReadingDatabase, Database, ReadingDatabase } from '../connection/connection.js';

/** Counts of a process in one minute, of one consumer or (null) of all together. */
export interface MinuteRow {
  readonly minute: Date;
  readonly consumerId: string | null;
  readonly accepted: number;
  readonly delivered: number;
  readonly dead: number;
  readonly attempts: number;
  readonly failedAttempts: number;
  readonly latency: readonly number[];
}

interface StatsQuery {
  /** Absent: of all consumers together. */
  readonly consumerId?: string;
  readonly from: Date;
  readonly to: Date;
  readonly stepSeconds: number;
}

/** Counts of all processes in one step; steps are numbered from the beginning of the query. */
export interface StepRow {
  readonly step: number;
  readonly accepted: number;
  readonly delivered: number;
  readonly dead: number;
  readonly attempts: number;
  readonly failed_attempts: number;
  readonly latency: number[] | null;
}

/** Statistics by minute, consumer and process (docs/adr/0024-observability.md). */
@Injectable()
export class StatisticsRepository {
  constructor(
    private readonly db: Database,
    private readonly reading: ReadingDatabase,
  ) {}

  /**
   * Writes the totals of a process for the minute so far; repeating the write has no effect.
   * @returns PostgreSQL's time
   */
  async write(processId: string, rows: readonly MinuteRow[]): Promise<Date> {
    const { rows: answers } = await sql<{ now: Date }>`
      with written as (
        insert into stats_minutes (process_id, consumer_id, minute, accepted, delivered, dead, attempts, failed_attempts,
                                   latency)
        select ${processId}::uuid, consumer_id, minute, accepted, delivered, dead, attempts, failed_attempts,
               latency::int[]
        from unnest(
          ${uuids(rows, (r) => r.consumerId)}, ${instants(rows, (r) => r.minute)},
          ${integers(rows, (r) => r.accepted)}, ${integers(rows, (r) => r.delivered)},
          ${integers(rows, (r) => r.dead)}, ${integers(rows, (r) => r.attempts)},
          ${integers(rows, (r) => r.failedAttempts)},
          ${texts(rows, (r) => arrayLiteral(r.latency.map(String)))}
        ) r (consumer_id, minute, accepted, delivered, dead, attempts, failed_attempts, latency)
        on conflict (consumer_id, minute, process_id) do update set
          accepted = excluded.accepted, delivered = excluded.delivered, dead = excluded.dead,
          attempts = excluded.attempts, failed_attempts = excluded.failed_attempts, latency = excluded.latency
      )
      select clock_timestamp() as now`.execute(this.db);
    const [answer] = answers;
    if (answer === undefined) throw new Error('PostgreSQL has not given its time');
    return answer.now;
  }

  /** The steps with any counts. */
  async steps(
    { consumerId, from, to, stepSeconds }: StatsQuery,
    reading: ReadingDatabase | ConsumersReadingDatabase = this.reading,
  ): Promise<StepRow[]> {
    const step = sql`floor(extract(epoch from minute - ${from}::timestamptz) / ${stepSeconds}::int)::int`;
    const of = consumerId === undefined ? sql`consumer_id is null` : sql`consumer_id = ${consumerId}`;
    const counted = sql`${of} and minute >= ${from} and minute < ${to}`;
    const { rows } = await sql<StepRow>`
      with sums as (
        select ${step} as step, sum(accepted)::int as accepted, sum(delivered)::int as delivered, sum(dead)::int as dead,
               sum(attempts)::int as attempts, sum(failed_attempts)::int as failed_attempts
        from stats_minutes where ${counted} group by 1
      ),
      buckets as (
        select ${step} as step, l.bucket, sum(l.deliveries)::int as deliveries
        from stats_minutes cross join lateral unnest(latency) with ordinality l (deliveries, bucket)
        where ${counted} group by 1, 2
      ),
      latencies as (select step, array_agg(deliveries order by bucket) as latency from buckets group by step)
      select sums.*, latency from sums left join latencies using (step) order by step`.execute(reading);
    return rows;
  }

  /** Removes rows older than `days`. @returns how many, at most `limit` */
  async trim(days: number, limit: number): Promise<number> {
    const { rows } = await sql`
      delete from stats_minutes where ctid = any (array(
        select ctid from stats_minutes where minute < now() - make_interval(days => ${days}::int)
        limit ${limit}::int for update skip locked
      )) returning 1`.execute(this.db);
    return rows.length;
  }
}
