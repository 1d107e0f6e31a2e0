import { CHANNEL_KINDS, ISSUE_EVENTS, ISSUE_KINDS, MESSAGE_STATES, SEVERITIES } from '#libs/contracts';
import { severityOf } from '#libs/policy';

const list = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** The severity of an issue's kind, in SQL. */
const RANK_OF_KIND = SEVERITIES.map(
  (severity, rank) =>
    `when kind in (${list(ISSUE_KINDS.filter((kind) => severityOf(kind) === severity))}) then ${String(rank)}`,
).join(' ');

/** Unresolved issues first, by severity and age; then the newest. The query and its index need the same text. */
export const ISSUE_ORDER = `(resolved_at is null) desc,
     (case when resolved_at is null then case ${RANK_OF_KIND} end end),
     (case when resolved_at is null then opened_at end), id desc`;

/** Tables of health issues, of the channels that announce them, and of the messages to these channels. */
export const ISSUE_TABLES: readonly string[] = [
  `create table health_issues (
     id uuid primary key,
     -- Null: an issue of the whole installation.
     consumer_id uuid references consumers (id),
     kind text not null check (kind in (${list(ISSUE_KINDS)})),
     subject text not null,
     summary text not null,
     advice text not null,
     opened_at timestamptz not null default now(),
     last_seen_at timestamptz not null default now(),
     ended_at timestamptz,
     acknowledged_at timestamptz,
     acknowledged_by text,
     note text,
     resolved_at timestamptz,
     resolved_by text,
     resolution text,
     check ((acknowledged_at is null) = (acknowledged_by is null)),
     check ((resolved_by is null) = (resolution is null)),
     -- An ended condition needs no person; a person may resolve an issue earlier.
     check (ended_at is null or resolved_at is not null),
     check (resolved_by is null or resolved_at is not null)
   ) with (fillfactor = 50)`,
  // One ongoing issue for each condition: a repeated evaluation opens no second one.
  `create unique index health_issues_ongoing on health_issues (kind, consumer_id, subject)
     nulls not distinct where ended_at is null`,
  // A consumer cannot fill the list: it has at most one unresolved issue of a kind.
  `create unique index health_issues_unresolved on health_issues (consumer_id, kind)
     where resolved_at is null and consumer_id is not null`,
  // GET /v1/issues
  `create index health_issues_list on health_issues (${ISSUE_ORDER})`,

  `create table channels (
     id uuid primary key,
     -- Null: a channel of the bank. Otherwise of this consumer's people, who get alerts of the kinds that they chose.
     owner_consumer_id uuid references consumers (id),
     alert_kinds text[],
     check ((owner_consumer_id is null) = (alert_kinds is null)),
     name text not null,
     kind text not null check (kind in (${list(CHANNEL_KINDS)})),
     -- For people: the host of the URL. Mail addresses are in recipients.
     host text,
     recipients text[] not null default '{}',
     sealed text not null,
     -- Null: all kinds, all consumers and the installation, at any hour.
     issue_kinds text[],
     severities text[] not null default '{${SEVERITIES.join(',')}}' check (severities <@ array[${list(SEVERITIES)}]),
     consumer_ids uuid[],
     hours jsonb,
     enabled boolean not null default true,
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now(),
     deleted_at timestamptz
   )`,
  // The outbox: written in the transaction that changes the issue.
  `create table channel_messages (
     id uuid primary key default gen_random_uuid(),
     -- Null: to the contact of the issue's consumer.
     channel_id uuid references channels (id),
     issue_id uuid not null references health_issues (id) on delete cascade,
     event text not null check (event in (${list(ISSUE_EVENTS)})),
     state text not null default 'pending' check (state in (${list(MESSAGE_STATES)})),
     attempts integer not null default 0,
     next_at timestamptz not null default now(),
     last_error text,
     created_at timestamptz not null default now(),
     sent_at timestamptz,
     check ((state in ('sent', 'summarised')) = (sent_at is not null)),
     -- Each event of an issue is announced once in each channel.
     unique nulls not distinct (issue_id, channel_id, event)
   ) with (fillfactor = 50)`,
  `create index channel_messages_pending on channel_messages (next_at) where state = 'pending'`,
  // The limit of a channel: what it has announced lately, and what waits for its next summary.
  `create index channel_messages_announced on channel_messages (channel_id, sent_at)
     where event = 'opened' and state = 'sent'`,
  `create index channel_messages_counted on channel_messages (channel_id) where state = 'counted'`,
  // GET /v1/channels: the newest messages of a channel.
  `create index channel_messages_channel on channel_messages (channel_id, created_at)`,
];
