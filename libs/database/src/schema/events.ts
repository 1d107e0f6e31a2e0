/** Tables of what producers posted: payments, idempotency keys and events. */
export const EVENT_TABLES: readonly string[] = [
  // For accept_events: a function, so that an update without new elements does not prepare this query.
  `create function array_union(one anyarray, other anyarray) returns anyarray language sql immutable as $$
     select array(select distinct e from unnest(one || other) e)
   $$`,

  `create table payments (
     event_type text not null,
     payment_id text not null,
     last_number integer not null,
     company_ids text[] not null,
     consumer_ids uuid[] not null,
     newest_status text,
     producers text[] not null default '{}',
     updated_at timestamptz not null default now(),
     primary key (event_type, payment_id)
   ) with (fillfactor = 80)`,
  // GET /v1/payments: the newest status first.
  `create index payments_updated on payments (updated_at, event_type, payment_id) include (newest_status)`,
  // A producer's list of payments: finds payment ids that several producers use. Usually there are none.
  `create index payments_shared on payments (event_type, payment_id) where cardinality(producers) > 1`,

  `create table idempotency_keys (
     producer text not null,
     key_hash bytea not null,
     content_hash bytea not null,
     notification_id uuid not null,
     created_at timestamptz not null default now(),
     primary key (producer, key_hash)
   )`,
  // The hourly removal of lapsed keys.
  `create index idempotency_keys_created_at on idempotency_keys using brin (created_at)`,

  `create table events (
     id uuid primary key,
     event_type text not null,
     payment_id text,
     number integer,
     status text,
     trace_number text,
     imad text,
     event_at timestamptz not null,
     -- The clock, read after the transaction got its id. Lists sort by it; see lists/visible-watermark.ts.
     accepted_at timestamptz not null default case when pg_current_xact_id() is not null then clock_timestamp() end,
     producer text not null,
     body text not null,
     consumer_ids uuid[] not null,
     delivery_ids uuid[] not null,
     -- Deliveries that an operator added later; a repeated request is answered with delivery_ids only.
     added_delivery_ids uuid[] not null default '{}',
     traceparent text
   ) partition by range (id)`,
  // GET /v1/events: newest first; filters by type and producer without reading the rows.
  `create index events_accepted on events (accepted_at, id) include (event_type, producer)`,
  // GET /v1/events?status=
  `create index events_status on events (status, accepted_at, id)`,
  // One payment's statuses: GET /v1/payments/:kind/:paymentId, and own_payment.
  `create index events_payment on events (payment_id, id) where payment_id is not null`,
  // GET /v1/events?traceNumber= and ?imad=
  `create index events_trace_number on events (trace_number) where trace_number is not null`,
  `create index events_imad on events (imad) where imad is not null`,
  // GET /v1/events?unrouted=true and the count on the overview.
  `create index events_unrouted on events (accepted_at, id) where consumer_ids = '{}' and added_delivery_ids = '{}'`,
  // Retention: the few events with added deliveries, which may belong to a later week.
  `create index events_with_added on events (id) where added_delivery_ids <> '{}'`,

  // A payment according to one producer's own events; no row when there are none. For payment ids that several
  // producers use, possibly for different payments: the row in payments mixes what they posted.
  `create function own_payment(wanted_type text, wanted_payment text, wanted_producer text)
   returns table (last_number integer, newest_status text, updated_at timestamptz, consumer_ids uuid[], company_ids text[])
   language sql stable as $$
     with own as materialized (
       select id, number, status, accepted_at, body, consumer_ids, added_delivery_ids from events
       where payment_id = wanted_payment and event_type = wanted_type and producer = wanted_producer
     )
     select count(*)::int,
            (array_agg(own.status order by own.number desc) filter (where own.status is not null))[1],
            max(own.accepted_at),
            array(
              select unnest(o.consumer_ids) from own o
              union
              -- A consumer that an operator added is not among the event's own recipients.
              select d.consumer_id from own o cross join unnest(o.added_delivery_ids) a (id)
              cross join lateral (select p.consumer_id from pending_deliveries p where p.id = a.id limit 1) d
              union
              select d.consumer_id from own o cross join unnest(o.added_delivery_ids) a (id)
              cross join lateral (
                select p.consumer_id from deliveries p where p.id between a.id and a.id order by p.id limit 1
              ) d
            ),
            -- The company ids of the specification, at the same paths as in companyIdsIn of libs/contracts.
            array(
              select distinct c.id from own o, lateral (values
                (o.body::jsonb #>> '{data,achEventInfo,debtor,achCompanyId}'),
                (o.body::jsonb #>> '{data,achEventInfo,creditor,achCompanyId}'),
                (o.body::jsonb #>> '{data,wireEventInfo,originalWire,originatorInfo,wireCompanyId}')
              ) c (id) where c.id is not null
            )
     from own having count(*) > 0
   $$`,
];
