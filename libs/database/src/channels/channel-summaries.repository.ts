import type { ChannelKind, IssueKind } from '#libs/contracts';
import { LIMIT_WINDOW_MS, type ChannelHours, type Opening } from '#libs/policy';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { uuids } from '../connection/columns.js';
import { Database } from '../connection/connection.js';

/** Seconds of a channel's limit. */
const WINDOW_SECONDS = LIMIT_WINDOW_MS / 1_000;

/** The issues that a channel has not announced one by one, and has to announce together now. */
export interface DueSummary {
  readonly channel_id: string;
  readonly channel_kind: ChannelKind;
  readonly recipients: string[];
  readonly sealed: string;
  readonly hours: ChannelHours | null;
  /** The outbox messages that it stands for. */
  readonly ids: string[];
  /** Kind of the issue of each of them. */
  readonly kinds: IssueKind[];
  /** How many of these issues are not resolved. */
  readonly unresolved: number;
  /** When the first of these issues was opened. */
  readonly since: Date;
  readonly attempts: number;
  /** When the newest of the messages was added. */
  readonly created_at: Date;
  /** When this was read, by PostgreSQL's clock. */
  readonly as_of: Date;
}

/** The limit of each channel: what it has announced lately, what is above the limit, and the summaries of that. */
@Injectable()
export class ChannelSummariesRepository {
  constructor(private readonly db: Database) {}

  /** The issues that a channel has announced in the last 10 minutes, or tried to announce and tries again. */
  async announced(channelId: string): Promise<Opening[]> {
    const { rows } = await sql<Opening>`
      select i.kind, i.consumer_id from channel_messages m join health_issues i on i.id = m.issue_id
      where m.channel_id = ${channelId} and m.event = 'opened'
        and (m.state = 'sent' and m.sent_at > now() - make_interval(secs => ${WINDOW_SECONDS}::float8)
          -- A receiver that fails for an hour must not get an hour's openings at once.
          or m.state = 'pending' and m.attempts > 0)`.execute(this.db);
    return rows;
  }

  /** Counts openings for the channel's next summary, which is due 10 minutes after the first of them. */
  async count(channelId: string, ids: readonly string[]): Promise<void> {
    await sql`
      update channel_messages set state = 'counted', next_at = coalesce(
        (select min(c.next_at) from channel_messages c where c.channel_id = ${channelId} and c.state = 'counted'),
        now() + make_interval(secs => ${WINDOW_SECONDS}::float8))
      where id = any (${uuids(ids, (id) => id)}) and state = 'pending'`.execute(this.db);
  }

  /** The summaries that are due, at most one of each channel. */
  async due(): Promise<DueSummary[]> {
    const { rows } = await sql<DueSummary>`
      select c.id as channel_id, c.kind as channel_kind, c.recipients, c.sealed, c.hours,
             array_agg(m.id order by i.id) as ids, array_agg(i.kind order by i.id) as kinds,
             (count(*) filter (where i.resolved_at is null))::int as unresolved, min(i.opened_at) as since,
             max(m.attempts) as attempts, max(m.created_at) as created_at, now() as as_of
      from channel_messages m
      join channels c on c.id = m.channel_id
      join health_issues i on i.id = m.issue_id
      where m.state = 'counted'
      group by c.id
      having min(m.next_at) <= now()`.execute(this.db);
    return rows;
  }

  async markSent(ids: readonly string[]): Promise<void> {
    await sql`
      update channel_messages set state = 'summarised', sent_at = now(), attempts = attempts + 1, last_error = null
      where id = any (${uuids(ids, (id) => id)}) and state = 'counted'`.execute(this.db);
  }

  /** Notes a failed attempt. @param nextAt null: the summary is given up */
  async markFailed(ids: readonly string[], fault: string, nextAt: Date | null): Promise<void> {
    await sql`
      update channel_messages set state = ${nextAt === null ? 'failed' : 'counted'}, attempts = attempts + 1,
        last_error = ${fault}, next_at = coalesce(${nextAt}::timestamptz, next_at)
      where id = any (${uuids(ids, (id) => id)}) and state = 'counted'`.execute(this.db);
  }
}
