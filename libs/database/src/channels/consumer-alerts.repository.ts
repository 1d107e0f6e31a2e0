import type { AlertEvent, AlertKind, ChannelKind } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import { uuids } from '../connection/columns.js';
import { Database } from '../connection/connection.js';
import { HAS_RECOVERED } from './has-recovered.js';

/** A channel of a consumer's people, a mail or a webhook, and what has come of its alerts. */
export interface AlertChannel {
  readonly id: string;
  readonly sealed: string;
  readonly consumer_name: string;
  readonly kind: ChannelKind;
  readonly alert_kinds: AlertKind[];
  readonly host: string | null;
  readonly recipients: string[];
  readonly last_sent_at: Date | null;
  /** Why the newest alert was not accepted; null if it was. */
  readonly last_error: string | null;
}

/** What a consumer's people have chosen. */
export interface AlertChoice {
  readonly kinds: AlertKind[];
  /** Mail addresses. */
  readonly recipients: string[];
  /** Undefined: it stays as it is; null: there is none any more. */
  readonly webhook:
    | { readonly id: string; readonly host: string; readonly sealed: string }
    | null
    | undefined;
}

/** The alerts of one kind that wait for a channel, to be sent as one: the newest, with the number of the others. */
export interface DueAlert {
  /** The newest first. */
  readonly ids: readonly string[];
  readonly kind: AlertKind;
  readonly event: AlertEvent;
  readonly at: Date;
  readonly since: Date | null;
  readonly number: number | null;
  readonly attempts: number;
  readonly created_at: Date;
  /** When this was read, by PostgreSQL's clock. */
  readonly as_of: Date;
  readonly channel_id: string;
  readonly channel_kind: ChannelKind;
  readonly recipients: string[];
  readonly sealed: string;
  readonly consumer_name: string;
}

/** Alerts for consumers' own people: their channels, and the outbox. */
@Injectable()
export class ConsumerAlertsRepository {
  constructor(private readonly db: Database) {}

  /** The channels of a consumer's people: at most a mail and a webhook. */
  async channelsOf(consumerId: string): Promise<AlertChannel[]> {
    const { rows } = await sql<AlertChannel>`
      select c.id, c.sealed, c.kind, c.alert_kinds, c.host, c.recipients, s.name as consumer_name, newest.last_error,
             (select max(a.sent_at) from consumer_alerts a
              where a.channel_id = c.id and a.state = 'sent') as last_sent_at
      from channels c join consumers s on s.id = c.owner_consumer_id
      left join lateral (
        select a.last_error from consumer_alerts a where a.channel_id = c.id and a.attempts > 0
        order by a.created_at desc, a.id limit 1) newest on true
      where c.owner_consumer_id = ${consumerId} and c.deleted_at is null
      order by c.kind`.execute(this.db);
    return rows;
  }

  /** Replaces what a consumer's people have chosen. @returns false when the consumer is removed */
  choose(
    consumerId: string,
    { kinds, recipients, webhook }: AlertChoice,
    audit: AuditEntry,
  ): Promise<boolean> {
    return this.db.transaction().execute(async (trx) => {
      // One choice after the other.
      const consumer = await trx
        .selectFrom('consumers')
        .where('id', '=', consumerId)
        .where('deleted_at', 'is', null)
        .forNoKeyUpdate()
        .select('id')
        .executeTakeFirst();
      if (consumer === undefined) return false;
      const own = trx
        .updateTable('channels')
        .where('owner_consumer_id', '=', consumerId)
        .where('deleted_at', 'is', null);
      const removed = { deleted_at: sql<Date>`now()`, sealed: '', recipients: [] };
      const added = { owner_consumer_id: consumerId, alert_kinds: kinds, name: 'Alerts' };
      if (webhook !== undefined) await own.where('kind', '=', 'webhook').set(removed).execute();
      if (webhook != null)
        await trx
          .insertInto('channels')
          .values({ ...added, ...webhook, kind: 'webhook' })
          .execute();
      const mail = own.where('kind', '=', 'email');
      const change = recipients.length === 0 ? removed : { recipients };
      const { numUpdatedRows } = await mail.set(change).executeTakeFirst();
      if (numUpdatedRows === 0n && recipients.length > 0)
        await trx
          .insertInto('channels')
          .values({ ...added, id: uuidv7(), kind: 'email', recipients, sealed: '' })
          .execute();
      await own.set({ alert_kinds: kinds, updated_at: sql<Date>`now()` }).execute();
      await recordAudit(trx, audit);
      return true;
    });
  }

  /**
   * Adds alerts of what has happened since a channel was made, for one day back. They are found in the records of what
   * happened, so nothing that issues, replays and credentials do has to know of alerts; a second time adds nothing.
   */
  async collect(): Promise<void> {
    await sql`
      insert into consumer_alerts (channel_id, kind, event, subject, at, since, number)
      select c.id, e.* from channels c
      join consumers s on s.id = c.owner_consumer_id and s.deleted_at is null
      cross join lateral (
        select 'endpoint_down' as kind, 'down', i.id::text, i.opened_at, null::timestamptz, null::integer
        from health_issues i where i.consumer_id = s.id and i.kind = 'down' and i.resolved_at is null
        union all
        select 'endpoint_down', 'recovered', a.subject, i.ended_at, i.opened_at, null
        from consumer_alerts a
        join health_issues i on i.id = case when a.event = 'down' then a.subject::uuid end
        join consumer_runtime r on r.consumer_id = s.id and ${HAS_RECOVERED}
        where a.channel_id = c.id and a.event = 'down' and i.ended_at > now() - interval '1 day'
        union all
        select 'replay_done', 'replay_done', b.id::text, b.finished_at, b.created_at, b.changed
        from bulk_actions b
        where b.started_for = s.id and b.finished_at > greatest(c.created_at, now() - interval '1 day')
        union all
        select 'credentials_change', t.event, concat_ws(' ', v.version, extract(epoch from v.activate_at)),
               v.activate_at, null, v.version
        from consumer_credentials v
        -- A version whose instant has changed is a new subject.
        cross join lateral (values
          ('credentials_scheduled', v.activate_at > greatest(c.created_at, now() - interval '1 day')),
          ('credentials_tomorrow', v.activate_at > now() and v.activate_at <= now() + interval '24 hours'
            and v.created_at < v.activate_at - interval '24 hours')
        ) t (event, is_due)
        where v.consumer_id = s.id and t.is_due
      ) e
      where c.deleted_at is null and e.kind = any (c.alert_kinds)
      on conflict do nothing`.execute(this.db);
  }

  /**
   * What is due, by channel and kind, within the limits: a channel gets one alert of a kind in 10 minutes, and 10 alerts in an
   * hour. What is above them waits, and is counted by the next one.
   */
  async due(): Promise<DueAlert[]> {
    const { rows } = await sql<DueAlert>`
      select g.ids, g.attempts, g.created_at, n.kind, n.event, n.at, n.since, n.number, now() as as_of,
             c.id as channel_id, c.kind as channel_kind, c.recipients, c.sealed, s.name as consumer_name
      from (
        select a.channel_id, array_agg(a.id order by a.created_at desc, a.at desc, a.id) as ids,
               max(a.attempts) as attempts, max(a.created_at) as created_at,
               row_number() over (partition by a.channel_id order by min(a.created_at)) as place
        from consumer_alerts a where a.state = 'pending'
        group by a.channel_id, a.kind
        having max(a.next_at) <= now() and not exists (
          select from consumer_alerts r where r.channel_id = a.channel_id and r.kind = a.kind
            and r.state = 'sent' and r.sent_at > now() - interval '10 minutes')
      ) g
      join consumer_alerts n on n.id = g.ids[1]
      join channels c on c.id = g.channel_id and c.deleted_at is null and n.kind = any (c.alert_kinds)
      join consumers s on s.id = c.owner_consumer_id and s.deleted_at is null
      where g.place + (
        select count(*) from consumer_alerts r
        where r.channel_id = c.id and r.state = 'sent' and r.sent_at > now() - interval '1 hour') <= 10`.execute(
      this.db,
    );
    return rows;
  }

  /** Notes that an alert was accepted; the older ones are counted in it. */
  async markSent([newest, ...older]: readonly string[]): Promise<void> {
    await sql`
      update consumer_alerts set attempts = attempts + 1, last_error = null,
        state = case when id = ${newest} then 'sent' else 'summarised' end,
        sent_at = case when id = ${newest} then now() end
      where id = ${newest} or id = any (${uuids(older, (id) => id)})`.execute(this.db);
  }

  /** Notes a failed attempt. @param nextAt null: the alerts are given up */
  async markFailed(ids: readonly string[], fault: string, nextAt: Date | null): Promise<void> {
    await sql`
      update consumer_alerts set attempts = attempts + 1, last_error = ${fault},
        state = ${nextAt === null ? 'failed' : 'pending'}, next_at = coalesce(${nextAt}::timestamptz, next_at)
      where id = any (${uuids(ids, (id) => id)})`.execute(this.db);
  }

  /** Removes alerts of what happened more than `days` ago. @returns how many, at most `limit` */
  async trim(days: number, limit: number): Promise<number> {
    const { rows } = await sql`
      delete from consumer_alerts where id = any (array(
        select id from consumer_alerts
        where greatest(at, created_at) < now() - make_interval(days => ${days}::int) limit ${limit}::int
      )) returning 1`.execute(this.db);
    return rows.length;
  }
}
