/** Tables of pending deliveries, finished deliveries and attempts, and the view of the consumers' wake times. */
export const DELIVERY_TABLES: readonly string[] = [
  // As small as the remaining work. A row is inserted, updated once for each failed attempt, and deleted.
  `create table pending_deliveries (
     id uuid primary key,
     event_id uuid not null,
     consumer_id uuid not null,
     event_type text not null,
     payment_id text,
     -- Number within the payment, assigned under the payment's lock; null: without a payment, so never blocked.
     number integer,
     -- Copy of the payment status in the event, for lists, filters and bulk actions.
     status text,
     attempts integer not null default 0,
     -- Attempts in the current pass through the retry schedule.
     schedule_step integer not null default 0,
     next_attempt_at timestamptz not null default now(),
     first_attempt_at timestamptz,
     last_outcome text,
     last_http_status integer,
     -- Set in the same way as events.accepted_at, for the list of notifications.
     created_at timestamptz not null default case when pg_current_xact_id() is not null then clock_timestamp() end,
     -- When it became pending; reset when a finished delivery is sent again.
     pending_since timestamptz not null default now(),
     -- The session that has sent it and was ended before the answer was recorded. Until next_attempt_at it counts as in
     -- flight: no other session sends it, and that session may record it.
     held_session bigint,
     -- When PostgreSQL refused the record of an attempt that was sent. It is not sent again until that is recorded, or
     -- an operator decides so.
     record_refused_at timestamptz
   ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500)`,
  // fetch_deliveries, consumer_wake: one consumer's deliveries, the longest due first. Without the id: this index stays
  // small, since fetches clean it up, and the planner would use it for each look-up by id (PostgreSQL 18 skips columns).
  `create index pending_deliveries_due on pending_deliveries (consumer_id, next_attempt_at)`,
  // Health: the delivery of a consumer that has failed for the longest time. Only failed attempts write it.
  `create index pending_deliveries_failed on pending_deliveries (consumer_id, (greatest(first_attempt_at, pending_since)))
     where schedule_step > 0`,
  // Ordering: the earlier and the next status of one payment, for one of its few consumers.
  `create index pending_deliveries_payment on pending_deliveries (payment_id, event_type, number)`,
  // fetch_deliveries: what former sessions of a consumer still have in flight. Nearly always empty.
  `create index pending_deliveries_held on pending_deliveries (consumer_id, held_session) where held_session is not null`,

  `create table deliveries (
     id uuid primary key,
     event_id uuid not null,
     consumer_id uuid not null,
     event_type text not null,
     payment_id text,
     number integer,
     status text,
     state text not null check (state in ('delivered', 'dead', 'cancelled')),
     attempts integer not null,
     last_outcome text,
     last_http_status integer,
     created_at timestamptz not null,
     first_attempt_at timestamptz,
     finished_at timestamptz not null,
     end_reason text check (end_reason in
       ('acknowledged', 'schedule_used_up', 'pending_too_long', 'consumer_removed', 'cancelled_manually')),
     -- The report does not count the days between the acceptance and a replay as a late delivery.
     replayed boolean not null default false,
     -- When a person dealt with a dead delivery in another way, for example with a file: it no longer counts as open.
     -- A delivery that is sent again loses these three values.
     settled_at timestamptz,
     settled_by text,
     settle_reason text
   ) partition by range (id)`,
  // GET /v1/deliveries?consumerId=
  `create index deliveries_consumer on deliveries (consumer_id, id)`,
  // GET /v1/notifications: a consumer's own deliveries in the order of their creation.
  `create index deliveries_consumer_made on deliveries (consumer_id, created_at, id) include (event_type)`,
  // GET /v1/deliveries?paymentId=
  `create index deliveries_payment on deliveries (payment_id, id) where payment_id is not null`,
  // Bulk retry, replay and cancellation of failed deliveries must not read delivered ones.
  `create index deliveries_not_delivered on deliveries (id) where state <> 'delivered'`,
  // Dead and not settled: counts for each consumer, GET /v1/deliveries?settled=false, bulk action acknowledge.
  `create index deliveries_dead_open on deliveries (consumer_id, id) where state = 'dead' and settled_at is null`,
  // GET /v1/deliveries?status=: some statuses are rare among millions.
  `create index deliveries_status on deliveries (status, id)`,
  // GET /v1/deliveries?state=, ?consumerId=&state=, ?outcome=, ?httpStatus=: partial, so that few rows are indexed.
  `create index deliveries_state on deliveries (state, id) where state <> 'delivered'`,
  `create index deliveries_consumer_state on deliveries (consumer_id, state, id) where state <> 'delivered'`,
  `create index deliveries_outcome on deliveries (last_outcome, id) where last_outcome <> 'acknowledged'`,
  `create index deliveries_http_status on deliveries (last_http_status, id) where last_http_status <> 200`,

  `create table attempts (
     delivery_id uuid not null,
     number integer not null,
     -- The consumer, for failed attempts only. So the column's statistics show how many failures a consumer has, and
     -- the planner reads the newest in index order instead of sorting them all.
     failed_consumer_id uuid,
     started_at timestamptz not null,
     duration_ms integer not null,
     outcome text not null,
     http_status integer,
     detail text not null,
     url text not null,
     remote_address text,
     credential_version integer not null,
     request_headers jsonb not null,
     response_headers jsonb,
     response_body text,
     response_truncated boolean not null,
     clock_skew_ms bigint,
     probe boolean not null default false,
     primary key (delivery_id, number)
   ) partition by range (delivery_id)`,
  // GET /v1/consumers/:id/failures
  `create index attempts_failed on attempts (failed_consumer_id, started_at) where failed_consumer_id is not null`,

  // The only rule for when a consumer has something to do; null: not before something changes.
  `create view consumer_wake as
     select c.id as consumer_id,
            case
              when c.deleted_at is not null or c.state = 'paused' or s.paused_at is not null
                or r.secret_fault is not null or d.next_attempt_at is null then null
              else greatest(d.next_attempt_at, r.next_probe_at)
            end as wake_at
     from consumers c
     join consumer_runtime r on r.consumer_id = c.id
     cross join dispatcher_state s
     left join lateral (
       select p.next_attempt_at from pending_deliveries p
       where p.consumer_id = c.id order by p.consumer_id, p.next_attempt_at limit 1
     ) d on true`,
];
