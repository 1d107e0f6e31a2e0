import type { HoldReason, PendingState } from '#libs/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { uuids } from '../columns.js';
import type { Database } from '../connection.js';
import { READING } from '../database-token.js';
import { wakeTimes } from '../maintenance/wake-times.js';
import { PAUSED_BY_ANSWER } from '../operations/pause.js';

/** So far is counted; more is "more". */
export const COUNTED = { pending: 100_000, backlog: 5_000, unrouted: 10_000 } as const;

/** Of a consumer's overdue deliveries so many are looked at for one that waits for no other. */
const LOOKED_PAST = 200;

/** What has been due for less may be on its way to a worker. */
const ON_ITS_WAY_MS = 5_000;

/** A count that stopped at its limit is of at least so many. */
export interface Counted {
  readonly count: number;
  readonly isCapped: boolean;
  readonly oldestAt: Date | null;
}

/** Pending deliveries that stand alike. */
export interface StandingCount extends Counted {
  readonly state: PendingState;
  /** Of `held` ones. */
  readonly holdReason: HoldReason | null;
}

/** What a consumer's trouble is told by; see `troubleOf` in libs/policy. */
export interface ConsumerFacts {
  readonly id: string;
  readonly name: string;
  readonly contact: string | null;
  readonly secret_fault: string | null;
  readonly secret_fault_at: Date | null;
  readonly circuit_opened_at: Date | null;
  readonly failures: number;
  readonly first_failure_at: Date | null;
  readonly paused_at: Date | null;
  readonly pause_reason: string | null;
  readonly paused_by_answer: boolean;
  /** When its longest overdue delivery was due, those that wait for their turn or for a pause of everybody apart. */
  readonly oldest_due_at: Date | null;
}

/** What is pending, counted no further than somebody can take in. */
@Injectable()
export class QueueStateRepository {
  constructor(@Inject(READING) private readonly db: Database) {}

  /** Whether the whole dispatcher is paused. */
  sending(): Promise<{ paused_at: Date | null; pause_reason: string | null; paused_by: string | null }> {
    return this.db
      .selectFrom('dispatcher_state')
      .select(['paused_at', 'pause_reason'])
      .select(
        // The reason is that of the last who paused it, and so is the name.
        sql<string | null>`case when paused_at is not null then
          (select actor from audit_log where action = 'queue.paused' order by at desc, id desc limit 1) end`.as(
          'paused_by',
        ),
      )
      .executeTakeFirstOrThrow();
  }

  /**
   * Pending deliveries by where they stand: one look at so many of them, and so none of the counts is whole when there are
   * more. No index knows states, since they are derived.
   */
  async standings(): Promise<StandingCount[]> {
    const { rows } = await sql<{
      state: PendingState;
      hold_reason: HoldReason | null;
      count: number;
      oldest_at: Date | null;
      looked_at: number;
    }>`
      select state, hold_reason, count(*)::int as count, sum(count(*)) over ()::int as looked_at,
             coalesce(min(held_since), min(next_attempt_at) filter (where next_attempt_at <= now())) as oldest_at
      from (select state, hold_reason, held_since, next_attempt_at from delivery_standing
            limit ${COUNTED.pending + 1}) p
      group by state, hold_reason`.execute(this.db);
    return rows.map(({ state, hold_reason, count, oldest_at, looked_at }) => ({
      state,
      holdReason: hold_reason,
      count,
      isCapped: looked_at > COUNTED.pending,
      oldestAt: oldest_at,
    }));
  }

  /** Events since then that concerned nobody. */
  async unrouted(since: Date): Promise<Omit<Counted, 'oldestAt'>> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from (
        select from events where consumer_ids = '{}' and added_delivery_ids = '{}' and accepted_at >= ${since} limit ${COUNTED.unrouted + 1}) e`.execute(
      this.db,
    );
    return capped(rows[0]?.count ?? 0, COUNTED.unrouted, null);
  }

  /** Every live consumer's facts. */
  async consumers(): Promise<ConsumerFacts[]> {
    const { rows } = await sql<ConsumerFacts>`
      select c.id, c.name, c.contact, r.secret_fault, r.secret_fault_at, r.circuit_opened_at, r.failures,
             r.first_failure_at, c.paused_at, c.pause_reason,
             coalesce(c.pause_reason = ${PAUSED_BY_ANSWER}, false) as paused_by_answer,
             (select d.next_attempt_at from (
                -- Behind so many that wait for an earlier status, the consumer's trouble is that one.
                select p.id, p.next_attempt_at from pending_deliveries p
                where p.consumer_id = c.id and p.next_attempt_at <= now()
                order by p.consumer_id, p.next_attempt_at limit ${LOOKED_PAST}
              ) d
              join lateral (select s.state, s.hold_reason from delivery_standing s where s.id = d.id) s
                on s.state = 'queued' or s.hold_reason <> 'order'
              order by d.next_attempt_at limit 1) as oldest_due_at
      from consumers c join consumer_runtime r on r.consumer_id = c.id
      where c.deleted_at is null`.execute(this.db);
    return rows;
  }

  /** Live consumers, by their circuit. */
  async circuits(): Promise<{ open: number; closed: number }> {
    const { rows } = await sql<{ open: number; closed: number }>`
      select count(*) filter (where r.circuit_opened_at is not null)::int as open,
             count(*) filter (where r.circuit_opened_at is null)::int as closed
      from consumers c join consumer_runtime r on r.consumer_id = c.id
      where c.deleted_at is null`.execute(this.db);
    return rows[0] ?? { open: 0, closed: 0 };
  }

  /** How many consumers have had something to do for five seconds, and no worker says that it serves them. */
  async overdueConsumers(): Promise<number> {
    return (await wakeTimes(this.db, { overdueMs: ON_ITS_WAY_MS, withinMs: 0 })).length;
  }

  /** What is pending of each of these consumers. */
  async backlogs(consumerIds: readonly string[]): Promise<Map<string, Omit<Counted, 'oldestAt'>>> {
    const { rows } = await sql<{ id: string; count: number }>`
      select c.id, (select count(*)::int from (
        select from pending_deliveries d where d.consumer_id = c.id limit ${COUNTED.backlog + 1}) d) as count
      from unnest(${uuids(consumerIds, (id) => id)}) c (id)`.execute(this.db);
    return new Map(rows.map(({ id, count }) => [id, capped(count, COUNTED.backlog, null)]));
  }
}

const capped = (count: number, limit: number, oldestAt: Date | null): Counted => ({
  count: Math.min(count, limit),
  isCapped: count > limit,
  oldestAt,
});
