import { ACCEPT_FUNCTION } from './accept-function.js';
import { RECORD_FUNCTION } from './record-function.js';
import { SESSION_END_BUCKETS, SESSION_END_LOCK } from './session-end-lock.js';

/**
 * The steps of a delivery that need more than one statement, but only one message. A later statement must see what an
 * earlier one waited for (READ COMMITTED: each statement of a VOLATILE function has its own snapshot).
 *
 * To avoid deadlocks, every transaction locks in this order: payments, the advisory locks of session ends,
 * consumer_runtime by consumer, pending_deliveries by (consumer_id, event_type, payment_id, number, id).
 */
export const DELIVERY_FUNCTIONS: readonly string[] = [
  ACCEPT_FUNCTION,

  // Ends pending deliveries. All ends use it: record, cancellation, expiry and removal of a consumer.
  `create function finish_deliveries(
     ids uuid[], states text[], reasons text[],
     -- Of the attempt that ended the delivery; null where no attempt did.
     outcomes text[], http_statuses integer[], started timestamptz[]
   ) returns setof uuid language plpgsql as $$
   #variable_conflict use_column
   declare
     gone pending_deliveries[];
   begin
     with ending as (
       select * from unnest(ids, states, reasons, outcomes, http_statuses, started)
         as e (id, state, reason, outcome, http_status, started_at)
     ),
     removed as (
       -- An array of one element: it can be joined through the primary key only, whatever the statistics.
       delete from pending_deliveries p using ending e where p.id = any (array[e.id]) returning p
     ),
     history as (
       insert into deliveries (id, event_id, consumer_id, event_type, payment_id, number, status, state, attempts,
                               last_outcome, last_http_status, created_at, first_attempt_at, finished_at, end_reason)
       select (p).id, (p).event_id, (p).consumer_id, (p).event_type, (p).payment_id, (p).number, (p).status, e.state,
              (p).attempts + (e.started_at is not null)::int, coalesce(e.outcome, (p).last_outcome),
              case when e.started_at is null then (p).last_http_status else e.http_status end, (p).created_at,
              coalesce((p).first_attempt_at, e.started_at), now(), e.reason
       from removed join ending e on e.id = (removed.p).id
     )
     select array_agg(p) into gone from removed;

     -- In a later statement, so that it also sees a next status that was accepted or parked while this one waited.
     update pending_deliveries d set next_attempt_at = now()
     from (
       select g.consumer_id, g.event_type, g.payment_id, min(g.number) as number from unnest(gone) g
       join consumers c on c.id = any (array[g.consumer_id]) and c.ordering = 'payment'
       where g.payment_id is not null
       group by g.consumer_id, g.event_type, g.payment_id order by g.consumer_id, g.event_type, g.payment_id
     ) payment
     cross join lateral (
       -- Locked, since another transaction may be ending this status now: this statement then waits, and continues
       -- with the status after it. A status earlier than the ended ones is not touched: its own end makes the next
       -- one due, and the transaction that ends it may be waiting for this one.
       select n.id, n.next_attempt_at from pending_deliveries n
       where n.payment_id = payment.payment_id and n.event_type = payment.event_type and n.number > payment.number
         -- Not an equality, for which a planner that considers the table empty could use pending_deliveries_due.
         and n.consumer_id is not distinct from payment.consumer_id
       order by n.payment_id, n.event_type, n.number limit 1 for no key update
     ) next
     where d.id = any (array[next.id]) and next.next_attempt_at > now();

     return query select g.id from unnest(gone) g;
   end $$`,

  // Opens delivery sessions, and fetches what is due for all sessions of a worker: one row for each delivery, and one
  // without a delivery for a session that was opened, was lost to another worker, or may not send.
  // sessions: the number that the worker has, or null to open one. wanted: maximum number of deliveries.
  // due_from: nothing due before it is left, so deleted index entries before it are not read again; null: read all.
  `create function fetch_deliveries(consumer_ids uuid[], sessions bigint[], wanted integer[], due_from timestamptz[],
                                    in_flight uuid[])
   returns table (
     consumer_id uuid, session bigint, held boolean, may_send boolean,
     url text, timeout_ms integer, timestamp_unit text, ordering text, max_concurrency integer, max_per_second integer,
     retry_schedule integer[], ca_certificate text, credential_version integer,
     failures integer, failed_deliveries uuid[], failing_for_ms float8, failed_probes integer,
     -- Null: the circuit is closed.
     probe_in_ms float8, next_send_in_ms float8,
     id uuid, event_id uuid, event_type text, payment_id text, number integer, attempts integer, schedule_step integer,
     created_at timestamptz, next_attempt_at timestamptz, blocked_by uuid, body text, traceparent text
   ) language plpgsql as $$
   #variable_conflict use_column
   declare
     -- A variable, since an index cannot be searched for the result of a volatile function: all deliveries with later
     -- due times would be read.
     moment timestamptz;
     due pending_deliveries[];
     blockers uuid[];
     first_event uuid;
     last_event uuid;
   begin
     -- Waits for an earlier session's record that is under way; later records of that session are refused.
     update consumer_runtime r set session = r.session + 1, session_open = true
     from (
       select o.consumer_id from consumer_runtime o
       join unnest(consumer_ids, sessions) w (consumer_id, session) on o.consumer_id = any (array[w.consumer_id])
       where w.session is null order by o.consumer_id for no key update of o
     ) opened
     where r.consumer_id = any (array[opened.consumer_id]);

     moment := clock_timestamp();
     select array_agg(d.delivery), array_agg(d.blocked_by),
            (array_agg((d.delivery).event_id order by (d.delivery).event_id))[1],
            (array_agg((d.delivery).event_id order by (d.delivery).event_id desc))[1]
     into due, blockers, first_event, last_event
     from unnest(consumer_ids, sessions, wanted, due_from) w (consumer_id, session, wanted, due_from)
     cross join dispatcher_state s
     join consumer_runtime r on r.consumer_id = any (array[w.consumer_id]) and coalesce(w.session = r.session, true)
     join consumers c on c.id = any (array[w.consumer_id])
     cross join lateral (
       select p as delivery, case when c.ordering = 'payment' and p.payment_id is not null then (
                select e.id from pending_deliveries e
                where e.payment_id = p.payment_id and e.event_type = p.event_type and e.number < p.number
                  and e.consumer_id is not distinct from p.consumer_id
                order by e.payment_id, e.event_type, e.number limit 1) end as blocked_by
       from pending_deliveries p
       where p.consumer_id = w.consumer_id and p.next_attempt_at <= moment
         and p.next_attempt_at >= coalesce(w.due_from, '-infinity') and not p.id = any (in_flight)
       order by p.consumer_id, p.next_attempt_at, p.id limit w.wanted
     ) d
     where c.deleted_at is null and c.state = 'active' and s.paused_at is null and r.secret_fault is null;

     return query
     select r.consumer_id, r.session, coalesce(w.session = r.session, true),
            g.may_send,
            c.url, c.timeout_ms, c.timestamp_unit, c.ordering, c.max_concurrency, c.max_per_second,
            c.retry_schedule, c.ca_certificate,
            -- The version in force; read at each fetch, so that a cut-over applies to every worker at once.
            (select v.version from consumer_credentials v
             where v.consumer_id = c.id and v.activate_at <= clock_timestamp()
             order by v.activate_at desc, v.version desc limit 1),
            -- Times relative to this clock: a worker's own clock may be wrong.
            r.failures, r.failed_deliveries, (extract(epoch from clock_timestamp() - r.first_failure_at) * 1000)::float8,
            r.failed_probes, (extract(epoch from r.next_probe_at - clock_timestamp()) * 1000)::float8,
            (extract(epoch from r.next_send_at - clock_timestamp()) * 1000)::float8,
            d.id, d.event_id, d.event_type, d.payment_id, d.number, d.attempts, d.schedule_step, d.created_at,
            d.next_attempt_at, d.blocked_by, e.body, e.traceparent
     from unnest(consumer_ids, sessions) w (consumer_id, session)
     cross join dispatcher_state s
     join consumer_runtime r on r.consumer_id = any (array[w.consumer_id])
     join consumers c on c.id = any (array[w.consumer_id])
     cross join lateral (
       select c.deleted_at is null and c.state = 'active' and s.paused_at is null and r.secret_fault is null as may_send
     ) g
     left join unnest(due, blockers) d (id, event_id, consumer_id, event_type, payment_id, number, status, attempts,
       schedule_step, next_attempt_at, first_attempt_at, last_outcome, last_http_status, created_at, pending_since, blocked_by)
       on d.consumer_id = w.consumer_id
     left join lateral (
       select v.body, v.traceparent from events v
       where v.id between d.event_id and d.event_id
         -- These bounds are known before the statement begins, so only the partitions between them are opened.
         and v.id between first_event and last_event
       -- With this order the planner can use only the primary key's index, also in an empty partition.
       order by v.id limit 1
     ) e on d.blocked_by is null
     where d.id is not null or w.session is null or w.session <> r.session or not g.may_send
     order by d.next_attempt_at, d.id;
   end $$`,

  // Parks blocked deliveries: postpones them until the earlier status is due, for at most five minutes. The earlier
  // delivery is locked, so that its end waits, and then makes the next status due in a later statement.
  `create function park_deliveries(ids uuid[], blockers uuid[]) returns void language plpgsql as $$
   #variable_conflict use_column
   begin
     update pending_deliveries d
     set next_attempt_at = least(greatest(earlier.next_attempt_at, now() + interval '1 second'),
                                 now() + interval '5 minutes')
     from unnest(ids, blockers) w (id, blocker)
     join lateral (
       -- Skipped if another transaction is ending it: the next fetch then finds the delivery unblocked.
       select p.next_attempt_at from pending_deliveries p where p.id = any (array[w.blocker]) for key share skip locked
     ) earlier on true
     join lateral (
       select p.id from pending_deliveries p where p.id = any (array[w.id]) for no key update skip locked
     ) own on true
     where d.id = any (array[own.id]);
   end $$`,

  // Closes idle sessions. It first waits for every accept that has seen a session open, and then looks for due
  // deliveries: a session that has some stays open.
  `create function close_sessions(consumer_ids uuid[], sessions bigint[], next_send_in_ms float8[],
                                  succeeded_ms_ago float8[])
   returns table (consumer_id uuid, closed boolean, wake_in_ms float8) language plpgsql as $$
   #variable_conflict use_column
   declare
     due uuid[];
   begin
     perform pg_advisory_xact_lock(${SESSION_END_LOCK}, w.bucket)
     from (select distinct uuid_hash(c.id) & ${SESSION_END_BUCKETS - 1} as bucket from unnest(consumer_ids) c (id)
           order by 1) w;

     update consumer_runtime r
     set session_open = false, next_send_at = clock_timestamp() + ending.next_send_in_ms * interval '1 millisecond',
         -- greatest ignores nulls.
         last_success_at = greatest(r.last_success_at, clock_timestamp() - ending.succeeded_ms_ago * interval '1 millisecond')
     from (
       select o.consumer_id, w.next_send_in_ms, w.succeeded_ms_ago from consumer_runtime o
       join unnest(consumer_ids, sessions, next_send_in_ms, succeeded_ms_ago)
         w (consumer_id, session, next_send_in_ms, succeeded_ms_ago)
         on o.consumer_id = any (array[w.consumer_id]) and o.session = any (array[w.session])
       order by o.consumer_id for no key update of o
     ) ending
     where r.consumer_id = any (array[ending.consumer_id]);

     select coalesce(array_agg(k.consumer_id), '{}') into due
     from consumer_wake k where k.consumer_id = any (consumer_ids) and k.wake_at <= clock_timestamp();

     update consumer_runtime r set session_open = true
     from unnest(consumer_ids, sessions) w (consumer_id, session)
     where r.consumer_id = any (array[w.consumer_id]) and r.session = any (array[w.session]) and w.consumer_id = any (due);

     return query
     select k.consumer_id, not k.consumer_id = any (due),
            (extract(epoch from k.wake_at - clock_timestamp()) * 1000)::float8
     from consumer_wake k where k.consumer_id = any (consumer_ids);
   end $$`,

  RECORD_FUNCTION,
];
