import {
  ISSUE_KINDS,
  type ChannelKind,
  type IssueEvent,
  type IssueKind,
  type MessageState,
} from '#libs/contracts';
import { severityOf, type ChannelHours } from '#libs/policy';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { uuids } from '../connection/columns.js';
import { Database, type Queryable } from '../connection/connection.js';
import { HAS_RECOVERED } from './has-recovered.js';

/** Messages of one channel in one run. */
const MOST_AT_ONCE = 20;
const PAGES: readonly IssueKind[] = ISSUE_KINDS.filter((kind) => severityOf(kind) === 'page');

/** A message that is due, with its channel and its issue. */
export interface DueMessage {
  readonly id: string;
  readonly event: IssueEvent;
  readonly attempts: number;
  readonly created_at: Date;
  /** When this was read, by PostgreSQL's clock: several workers decide by it when a message is sent again. */
  readonly as_of: Date;
  /** Null: to the contact of the consumer. */
  readonly channel_id: string | null;
  readonly channel_kind: ChannelKind | null;
  readonly recipients: string[] | null;
  readonly sealed: string | null;
  readonly hours: ChannelHours | null;
  readonly issue_id: string;
  readonly kind: IssueKind;
  readonly consumer_id: string | null;
  readonly consumer_name: string | null;
  readonly contact: string | null;
  readonly summary: string;
  readonly advice: string;
  readonly opened_at: Date;
  readonly acknowledged_by: string | null;
  readonly note: string | null;
  readonly resolved_at: Date | null;
  readonly resolved_by: string | null;
}

/** The outbox of the channels. */
@Injectable()
export class ChannelMessagesRepository {
  constructor(private readonly db: Database) {}

  /**
   * Marks messages that are not worth sending any more: of channels that are removed or disabled, also those counted for a
   * summary; the opening of an issue that is resolved already; and what follows an opening that was not announced.
   */
  async supersede(): Promise<void> {
    await sql`
      update channel_messages m set state = 'superseded' where m.state in ('pending', 'counted')
        and exists (select from channels c where c.id = m.channel_id and (c.deleted_at is not null or not c.enabled))`.execute(
      this.db,
    );
    await sql`
      update channel_messages m set state = 'superseded' where m.state = 'pending' and m.event = 'opened'
        and exists (select from health_issues i where i.id = m.issue_id and i.resolved_at is not null)`.execute(
      this.db,
    );
    await sql`
      update channel_messages m set state = 'superseded' where m.state = 'pending' and m.event <> 'opened'
        and not exists (
          select from channel_messages o
          where o.issue_id = m.issue_id and o.channel_id is not distinct from m.channel_id
            and o.event = 'opened' and o.state in ('pending', 'sent'))`.execute(this.db);
  }

  /** Due messages in their order, at most 20 of each channel; if more are due, pages come first. */
  async due(): Promise<DueMessage[]> {
    const { rows } = await sql<DueMessage>`
      with due as (
        select m.*, row_number() over (partition by m.channel_id order by
          -- Hundreds of minor issues that appear at once must not delay the word that a consumer is down.
          i.kind = any (${PAGES}) desc, m.created_at, m.event <> 'opened', m.id) as place
        from channel_messages m join health_issues i on i.id = m.issue_id
        where m.state = 'pending' and m.next_at <= now()
          -- After a failed attempt the opening is sent again before what follows it.
          and (m.event = 'opened' or not exists (
            select from channel_messages o
            where o.issue_id = m.issue_id and o.channel_id is not distinct from m.channel_id
              and o.event = 'opened' and o.state = 'pending' and o.next_at > now()))
      )
      select d.id, d.event, d.attempts, d.created_at, now() as as_of, d.channel_id, c.kind as channel_kind, c.recipients, c.sealed, c.hours,
             i.id as issue_id, i.kind, i.consumer_id, s.name as consumer_name, s.contact, i.summary, i.advice, i.opened_at,
             i.acknowledged_by, i.note, i.resolved_at, i.resolved_by
      from due d
      join health_issues i on i.id = d.issue_id
      left join channels c on c.id = d.channel_id
      left join consumers s on s.id = i.consumer_id
      where d.place <= ${MOST_AT_ONCE}
      order by d.created_at, d.event <> 'opened', d.id`.execute(this.db);
    return rows;
  }

  async markSent(ids: readonly string[]): Promise<void> {
    await sql`
      update channel_messages set state = 'sent', sent_at = now(), attempts = attempts + 1, last_error = null
      where id = any (${uuids(ids, (id) => id)})`.execute(this.db);
  }

  /** Notes a failed attempt. @param nextAt null: the message is given up */
  async markFailed(id: string, fault: string, nextAt: Date | null): Promise<void> {
    await this.db
      .updateTable('channel_messages')
      .set((eb) => ({
        state: nextAt === null ? 'failed' : 'pending',
        attempts: eb('attempts', '+', 1),
        last_error: fault,
        ...(nextAt === null ? {} : { next_at: nextAt }),
      }))
      .where('id', '=', id)
      .execute();
  }

  /** Messages about an issue, oldest first, with their channels' names; without those to the consumer's contact. */
  async ofIssue(issueId: string): Promise<
    {
      channel_id: string | null;
      channel_name: string | null;
      event: IssueEvent;
      state: MessageState;
      at: Date;
      last_error: string | null;
    }[]
  > {
    return this.db
      .selectFrom('channel_messages as m')
      .leftJoin('channels as c', 'c.id', 'm.channel_id')
      .select(['m.channel_id', 'c.name as channel_name', 'm.event', 'm.state', 'm.last_error'])
      .select(sql<Date>`coalesce(m.sent_at, m.created_at)`.as('at'))
      .where('m.issue_id', '=', issueId)
      .orderBy('m.created_at')
      .orderBy('m.id')
      .execute();
  }
}

/**
 * Adds the messages about an event of these issues, in the transaction of the event: one for each channel whose filter
 * matches, and one for the consumer's contact if it is to know that the consumer is down. A message that exists is not added
 * again.
 */
export async function announce(
  trx: Queryable,
  issueIds: readonly string[],
  event: IssueEvent,
): Promise<void> {
  if (issueIds.length === 0) return;
  await sql`
    insert into channel_messages (channel_id, issue_id, event)
    select c.id, i.id, ${event} from health_issues i
    join unnest(${ISSUE_KINDS}::text[], ${ISSUE_KINDS.map(severityOf)}::text[]) as of_kind (kind, severity)
      on of_kind.kind = i.kind
    join channels c on c.enabled and c.deleted_at is null and c.owner_consumer_id is null
      and of_kind.severity = any (c.severities)
      and (c.issue_kinds is null or i.kind = any (c.issue_kinds))
      -- An issue of the installation has no consumer, so a channel for some consumers does not get it.
      and (c.consumer_ids is null or i.consumer_id = any (c.consumer_ids))
    where i.id = any (${uuids(issueIds, (id) => id)})
    union all
    select null, i.id, ${event} from health_issues i
    join consumers s on s.id = i.consumer_id and s.notify_contact and s.deleted_at is null
    join consumer_runtime r on r.consumer_id = s.id
    where i.id = any (${uuids(issueIds, (id) => id)}) and i.kind = 'down'
      -- The mail about the end says that the server accepts notifications again.
      and (${event} = 'opened' or ${event} = 'resolved' and ${HAS_RECOVERED})
    on conflict do nothing`.execute(trx);
}
