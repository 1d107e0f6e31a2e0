import { ALERT_EVENTS, ALERT_KINDS, MESSAGE_STATES } from '#libs/contracts';

const list = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** The outbox of the alerts for consumers' people. Their channels are in `channels`, with an owner. */
export const ALERT_TABLES: readonly string[] = [
  // At most one mail and one webhook of each consumer.
  `create unique index channels_owner on channels (owner_consumer_id, kind)
     where owner_consumer_id is not null and deleted_at is null`,
  // Instants and numbers only: no payment, name of a person or secret can get into an alert.
  `create table consumer_alerts (
     id uuid primary key default gen_random_uuid(),
     channel_id uuid not null references channels (id),
     kind text not null check (kind in (${list(ALERT_KINDS)})),
     event text not null check (event in (${list(ALERT_EVENTS)})),
     subject text not null,
     at timestamptz not null,
     since timestamptz,
     number integer,
     state text not null default 'pending' check (state in (${list(MESSAGE_STATES)})),
     attempts integer not null default 0,
     next_at timestamptz not null default now(),
     last_error text,
     created_at timestamptz not null default now(),
     sent_at timestamptz,
     check ((state = 'sent') = (sent_at is not null)),
     -- Nothing is reported twice, also by two workers at the same time.
     unique (channel_id, event, subject)
   ) with (fillfactor = 50)`,
  `create index consumer_alerts_pending on consumer_alerts (channel_id, kind) where state = 'pending'`,
  // The limits: what a channel has got lately.
  `create index consumer_alerts_sent on consumer_alerts (channel_id, sent_at) where state = 'sent'`,
];
