import type { Outcome } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { integers, uuids } from '../connection/columns.js';
import { ReadingDatabase } from '../connection/connection.js';
import { PAUSED_BY_ANSWER } from '../consumers/pause.js';

/** Maximum number of a consumer's overdue deliveries that are checked for one that is not blocked. */
const LOOKED_PAST = 200;

/** Maximum number of a consumer's failed attempts that are evaluated, the newest ones. */
const LOOKED_AT_FAILURES = 1_000;

/** The current condition of a live consumer. */
export interface ConditionRow {
  readonly id: string;
  readonly name: string;
  readonly contact: string | null;
  readonly secret_fault: string | null;
  readonly secret_fault_at: Date | null;
  readonly circuit_opened_at: Date | null;
  readonly failed_probes: number;
  readonly next_probe_at: Date | null;
  readonly failures: number;
  readonly first_failure_at: Date | null;
  readonly last_success_at: Date | null;
  readonly paused_at: Date | null;
  /** When the pause ends automatically. */
  readonly paused_until: Date | null;
  readonly pause_reason: string | null;
  readonly paused_by_answer: boolean;
  /**
   * Since when the most overdue delivery is late: its due time, or the end of the last pause or outage. Without blocked ones
   * and those held by a pause of all sending.
   */
  readonly oldest_due_at: Date | null;
  /** First attempt of the delivery that has failed for the longest time, since it was made pending for the last time. */
  readonly oldest_failed_at: Date | null;
  /** When it was read, by PostgreSQL's clock. */
  readonly as_of: Date;
}

/** Recent counts of a consumer's deliveries and attempts. */
export interface ActivityRow {
  readonly consumer_id: string;
  /** Length of the shorter period: whole minutes, and the current one so far. */
  readonly minutes: number;
  /** In the shorter period. */
  readonly accepted: number;
  /** Since `recovered_at`, if that is in the period. */
  readonly finished: number;
  /** When an open circuit or a pause ended, in the shorter period. */
  readonly recovered_at: Date | null;
  /** Length of the part of the shorter period after `recovered_at`. */
  readonly sending_minutes: number;
  readonly failed_lately: number;
  /** In the longer period. */
  readonly attempts: number;
  readonly failed_attempts: number;
  readonly died_lately: number;
  /** The newest minute with a success. */
  readonly succeeded_at: Date | null;
}

/** A consumer's dead deliveries that are not settled. */
interface DeadRow {
  readonly consumer_id: string;
  readonly count: number;
  readonly oldest_at: Date | null;
}

/** Failed attempts of a consumer with one cause. */
interface CauseRow {
  readonly consumer_id: string;
  readonly outcome: Outcome;
  readonly http_status: number | null;
  readonly count: number;
  readonly detail: string;
  readonly clock_skew_ms: number | null;
  /** Time of the first of the failures with less than 15 minutes between them, of any cause. */
  readonly failing_since: Date;
}

/** The facts for the health of consumers; `consumerHealth` of libs/policy has the rule. */
@Injectable()
export class ConsumerHealthRepository {
  constructor(private readonly db: ReadingDatabase) {}

  /** Conditions of these consumers, or of all. */
  async conditions(ids?: readonly string[]): Promise<ConditionRow[]> {
    const { rows } = await sql<ConditionRow>`
      select c.id, c.name, c.contact, r.secret_fault, r.secret_fault_at, r.circuit_opened_at, r.failed_probes,
             r.next_probe_at, r.failures, r.first_failure_at, r.last_success_at, c.paused_at, c.paused_until, c.pause_reason,
             coalesce(c.pause_reason = ${PAUSED_BY_ANSWER}, false) as paused_by_answer,
             (select greatest(d.next_attempt_at,
                              -- What waited for the end of a pause or an outage is late from then on.
                              (select max(x.ended_at) from excluded_downtime x where x.consumer_id = c.id),
                              (select max(x.ended_at) from excluded_downtime x where x.consumer_id is null)) from (
                -- Behind so many that wait for an earlier status, the consumer's trouble is that one.
                select p.id, p.next_attempt_at from pending_deliveries p
                where p.consumer_id = c.id and p.next_attempt_at <= now()
                order by p.consumer_id, p.next_attempt_at limit ${LOOKED_PAST}
              ) d
              join lateral (select s.state, s.hold_reason from pending_delivery_states s where s.id = d.id) s
                on s.state = 'queued' or s.hold_reason <> 'order'
              order by d.next_attempt_at limit 1) as oldest_due_at,
             (select greatest(p.first_attempt_at, p.pending_since) from pending_deliveries p
              where p.consumer_id = c.id and p.schedule_step > 0
              order by p.consumer_id, greatest(p.first_attempt_at, p.pending_since) limit 1) as oldest_failed_at,
             now() as as_of
      from consumers c join consumer_runtime r on r.consumer_id = c.id
      where c.deleted_at is null
        and ${ids === undefined ? sql`true` : sql`c.id = any (${uuids(ids, (id) => id)})`}`.execute(this.db);
    return rows;
  }

  /** Counts each consumer's pending deliveries exactly. It reads a whole index, so it must be called rarely. */
  async waiting(): Promise<Map<string, number>> {
    const { rows } = await sql<{ consumer_id: string; count: number }>`
      select consumer_id, count(*)::int as count from pending_deliveries group by consumer_id`.execute(
      this.db,
    );
    return new Map(rows.map(({ consumer_id, count }) => [consumer_id, count]));
  }

  /** Attempts of the last `windowMs`; accepted and finished deliveries of the last `latelyMs`: whole minutes, with the current one. */
  async activity(windowMs: number, latelyMs: number): Promise<ActivityRow[]> {
    const within = (ms: number) => sql`minute > now() - ${ms}::int * interval '1 millisecond'`;
    const lately = within(latelyMs);
    const recently = (at: RawBuilder<unknown>) =>
      sql`${at} > now() - ${latelyMs}::int * interval '1 millisecond'`;
    const { rows } = await sql<ActivityRow>`
      with recovered as (
        select substring(target from 10)::uuid as consumer_id, at from audit_log
        where action = 'consumer.circuit_closed' and ${recently(sql`at`)}
        union all select consumer_id, ended_at from excluded_downtime where ${recently(sql`ended_at`)}
      ),
      of_consumer as (select consumer_id, max(at) as at from recovered where consumer_id is not null group by consumer_id),
      of_all as (select max(at) as at from recovered where consumer_id is null)
      select s.consumer_id, r.at as recovered_at,
             greatest(1, extract(epoch from now() - r.at) / 60)::float8 as sending_minutes,
             (${latelyMs / 60_000 - 1}::int + extract(epoch from now() - date_trunc('minute', now())) / 60)::float8 as minutes,
             coalesce(sum(accepted) filter (where ${lately}), 0)::int as accepted,
             coalesce(sum(delivered + dead) filter (where ${lately} and (r.at is null or minute >= date_trunc('minute', r.at))), 0)::int as finished,
             coalesce(sum(failed_attempts) filter (where ${lately}), 0)::int as failed_lately,
             sum(attempts)::int as attempts, sum(failed_attempts)::int as failed_attempts,
             sum(dead)::int as died_lately,
             max(minute) filter (where attempts > failed_attempts) as succeeded_at
      from stats_minutes s
      cross join of_all
      left join of_consumer on of_consumer.consumer_id = s.consumer_id
      cross join lateral (select greatest(of_consumer.at, of_all.at) as at) r
      where ${within(windowMs)} and minute <= now() and s.consumer_id is not null
      group by s.consumer_id, r.at`.execute(this.db);
    return rows;
  }

  /** Dead deliveries that are not settled, by consumer; only of existing ones: nothing can be sent to removed ones. */
  async dead(): Promise<DeadRow[]> {
    const { rows } = await sql<DeadRow>`
      select open.consumer_id, open.count, oldest.finished_at as oldest_at
      from (
        select consumer_id, count(*)::int as count, min(id::text collate "C")::uuid as first_id
        from deliveries where state = 'dead' and settled_at is null group by consumer_id
      ) open
      join consumers c on c.id = open.consumer_id and c.deleted_at is null
      left join lateral (select finished_at from deliveries d where d.id = open.first_id) oldest on true`.execute(
      this.db,
    );
    return rows;
  }

  /** Causes of the newest failed attempts of these consumers, the most frequent first. */
  async causes(of: readonly { readonly id: string; readonly failures: number }[]): Promise<CauseRow[]> {
    const { rows } = await sql<CauseRow>`
      select w.id as consumer_id, f.*
      from unnest(${uuids(of, ({ id }) => id)}, ${integers(of, ({ failures }) => failures)}) w (id, failures)
      cross join lateral (
        with newest as materialized (
          select outcome, http_status, detail, clock_skew_ms, started_at,
                 row_number() over newest_first as place,
                 lead(started_at) over newest_first as before
          from (
            select * from attempts where failed_consumer_id = w.id order by started_at desc limit ${LOOKED_AT_FAILURES}
          ) a
          window newest_first as (order by started_at desc)
        )
        select outcome, http_status, count(*)::int as count,
               (array_agg(detail order by started_at desc))[1] as detail,
               ((array_agg(clock_skew_ms order by started_at desc) filter (where clock_skew_ms is not null))[1])::float8
                 as clock_skew_ms,
               (select max(started_at) from newest
                where before is null or started_at - before > interval '15 minutes') as failing_since
        from newest where place <= w.failures group by outcome, http_status
      ) f
      order by f.count desc`.execute(this.db);
    return rows;
  }
}
