import type { HoldReason, PendingState } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { ReadingDatabase } from '../connection/connection.js';
import { wakeTimes } from '../engine/wake-times.js';
import { visibleWatermark } from '../lists/visible-watermark.js';

/** Maximum of an exact count; above it the count is a lower bound. */
const COUNTED = { pending: 100_000, unrouted: 10_000 } as const;

/** A consumer whose work has been due for less may be about to be served. */
const ON_ITS_WAY_MS = 5_000;

/** Whether the count stopped at its limit, and is a lower bound. */
interface Counted {
  readonly count: number;
  readonly isCapped: boolean;
  readonly oldestAt: Date | null;
}

/** Pending deliveries with the same state and hold reason. */
export interface PendingStateCount extends Counted {
  readonly state: PendingState;
  /** Reason, for `held`. */
  readonly holdReason: HoldReason | null;
}

/** Unrouted events, counted up to a limit. */
export interface NewUnrouted extends Omit<Counted, 'oldestAt'> {
  /** Events accepted before are marked as seen; null: none are. */
  readonly seenUntil: Date | null;
  /** End of the counted period, in whole milliseconds before it. */
  readonly until: Date;
}

/** Pending deliveries, counted up to a limit. */
@Injectable()
export class QueueStateRepository {
  constructor(private readonly db: ReadingDatabase) {}

  /** Whether the whole dispatcher is paused. */
  sending(): Promise<{ paused_at: Date | null; pause_reason: string | null; paused_by: string | null }> {
    return this.db
      .selectFrom('dispatcher_state')
      .select(['paused_at', 'pause_reason'])
      .select(
        // Reason and name are those of the last pause command.
        sql<string | null>`case when paused_at is not null then
          (select actor from audit_log where action = 'sending.paused' order by at desc, id desc limit 1) end`.as(
          'paused_by',
        ),
      )
      .executeTakeFirstOrThrow();
  }

  /**
   * Pending deliveries by derived state. At most a fixed number of rows is read, since no index covers derived states;
   * when there are more rows, every count is a lower bound.
   */
  async pendingStates(): Promise<PendingStateCount[]> {
    const { rows } = await sql<{
      state: PendingState;
      hold_reason: HoldReason | null;
      count: number;
      oldest_at: Date | null;
      looked_at: number;
    }>`
      select state, hold_reason, count(*)::int as count, sum(count(*)) over ()::int as looked_at,
             coalesce(min(held_since), min(next_attempt_at) filter (where next_attempt_at <= now())) as oldest_at
      from (select state, hold_reason, held_since, next_attempt_at from pending_delivery_states
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

  /** Events without a recipient that were accepted since then and are not marked as seen. */
  async unrouted(since: Date): Promise<NewUnrouted> {
    // An event that becomes visible later has a later time, and is not marked as seen with those that are counted here.
    const watermark = await visibleWatermark(this.db);
    const row = await this.db
      .selectFrom('dispatcher_state as s')
      .select([
        's.unrouted_seen_until as seenUntil',
        sql<Date>`${watermark}::timestamptz`.as('until'),
        sql<number>`(select count(*)::int from (
          select from events where consumer_ids = '{}' and added_delivery_ids = '{}'
            and accepted_at >= greatest(${since}, s.unrouted_seen_until) and accepted_at < ${watermark}::timestamptz
          limit ${COUNTED.unrouted + 1}) e)`.as('count'),
      ])
      .executeTakeFirstOrThrow();
    return { ...row, count: Math.min(row.count, COUNTED.unrouted), isCapped: row.count > COUNTED.unrouted };
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

  /** Number of consumers with work that has been due for five seconds, and that no worker reports to serve. */
  async overdueConsumers(): Promise<number> {
    return (await wakeTimes(this.db, { overdueMs: ON_ITS_WAY_MS, withinMs: 0 })).length;
  }
}
