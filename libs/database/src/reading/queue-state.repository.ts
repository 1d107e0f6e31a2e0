import type { HoldReason } from '#libs/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { uuids } from '../columns.js';
import type { Database } from '../connection.js';
import { READING } from '../database-token.js';
import { PAUSED_BY_ANSWER } from '../gates/pause.js';

/** So far is counted; more is "more". */
export const COUNTED = { held: 300_000, queued: 100_000, backlog: 5_000, unrouted: 10_000 } as const;

/** A count that stopped at its limit is of at least so many. */
export interface Counted {
  readonly count: number;
  readonly isCapped: boolean;
  readonly oldestAt: Date | null;
}

export interface HoldCount extends Counted {
  readonly reason: HoldReason;
}

/** What a consumer's trouble is told by; see `troubleOf` in libs/delivery. */
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

/** What is open, counted no further than somebody can take in. */
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

  /** Each state's rows lie in an index of their own; the longest overdue is sought consumer by consumer. */
  async count(state: 'queued' | 'sending'): Promise<Counted> {
    const { rows } = await sql<{ count: number; oldest_at: Date | null }>`
      select (select count(*)::int from (select from open_deliveries where state = ${sql.lit(state)}
                                         limit ${COUNTED.queued + 1}) o) as count,
             (select min(o.next_attempt_at) from consumers c cross join lateral (
                select next_attempt_at from open_deliveries d
                where d.consumer_id = c.id and d.state = ${sql.lit(state)} and d.next_attempt_at <= now()
                order by ${state === 'queued' ? sql`d.next_attempt_at` : sql`d.lease_until`} limit 1) o) as oldest_at`.execute(
      this.db,
    );
    return capped(rows[0]?.count ?? 0, COUNTED.queued, rows[0]?.oldest_at ?? null);
  }

  /** On hold, by reason. One look at all of them: no index knows reasons, since every hold and release would write it. */
  async holds(): Promise<HoldCount[]> {
    const { rows } = await sql<{ reason: HoldReason; count: number; oldest_at: Date; looked_at: number }>`
      select hold_reason as reason, count(*)::int as count, min(held_since) as oldest_at,
             sum(count(*)) over ()::int as looked_at
      from (select hold_reason, held_since from open_deliveries where state = 'held' limit ${COUNTED.held + 1}) o
      group by hold_reason`.execute(this.db);
    return rows.map(({ reason, count, oldest_at, looked_at }) => ({
      reason,
      count,
      isCapped: looked_at > COUNTED.held,
      oldestAt: oldest_at,
    }));
  }

  /** Events since then that concerned nobody. */
  async unrouted(since: Date): Promise<Omit<Counted, 'oldestAt'>> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from (
        select from events where consumer_ids = '{}' and not sent_by_hand and accepted_at >= ${since} limit ${COUNTED.unrouted + 1}) e`.execute(
      this.db,
    );
    return capped(rows[0]?.count ?? 0, COUNTED.unrouted, null);
  }

  /** Every live consumer's facts. */
  async consumers(): Promise<ConsumerFacts[]> {
    const { rows } = await sql<ConsumerFacts>`
      select c.id, c.name, c.contact, g.secret_fault, g.secret_fault_at, g.circuit_opened_at, g.failures,
             g.first_failure_at, c.paused_at, c.pause_reason,
             coalesce(c.pause_reason = ${PAUSED_BY_ANSWER}, false) as paused_by_answer,
             least(
               (select d.next_attempt_at from open_deliveries d
                where d.consumer_id = c.id and d.state = 'queued' and d.next_attempt_at <= now()
                order by d.next_attempt_at limit 1),
               (select d.next_attempt_at from open_deliveries d
                where d.consumer_id = c.id and d.state = 'held' and d.hold_reason <> 'order'
                  and d.next_attempt_at <= now()
                order by d.next_attempt_at limit 1)
             ) as oldest_due_at
      from consumers c join consumer_gates g on g.consumer_id = c.id
      where c.deleted_at is null`.execute(this.db);
    return rows;
  }

  /** Live consumers, by their circuit. */
  async circuits(): Promise<{ open: number; closed: number }> {
    const { rows } = await sql<{ open: number; closed: number }>`
      select count(*) filter (where g.circuit_opened_at is not null)::int as open,
             count(*) filter (where g.circuit_opened_at is null)::int as closed
      from consumers c join consumer_gates g on g.consumer_id = c.id
      where c.deleted_at is null`.execute(this.db);
    return rows[0] ?? { open: 0, closed: 0 };
  }

  /** What is open of each of these consumers. */
  async backlogs(consumerIds: readonly string[]): Promise<Map<string, Omit<Counted, 'oldestAt'>>> {
    const { rows } = await sql<{ id: string; count: number }>`
      select c.id, (select count(*)::int from (
        select from open_deliveries d where d.consumer_id = c.id limit ${COUNTED.backlog + 1}) d) as count
      from unnest(${uuids(consumerIds, (id) => id)}) c (id)`.execute(this.db);
    return new Map(rows.map(({ id, count }) => [id, capped(count, COUNTED.backlog, null)]));
  }
}

const capped = (count: number, limit: number, oldestAt: Date | null): Counted => ({
  count: Math.min(count, limit),
  isCapped: count > limit,
  oldestAt,
});
