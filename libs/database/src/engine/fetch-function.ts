/** Of a session `w`: its consumer's runtime `r`, by an index look-up only. */
const RUNTIME_OF_SESSION = `cross join lateral (
       select o.* from consumer_runtime o where o.consumer_id between w.consumer_id and w.consumer_id
       order by o.consumer_id limit 1
     ) r`;

/** Its consumer's settings `c`, in the same way. */
const SETTINGS_OF_SESSION = `cross join lateral (
       select o.* from consumers o where o.id between w.consumer_id and w.consumer_id order by o.id limit 1
     ) c`;

/** Something may be sent to the consumer; an open circuit is decided by the session. */
const MAY_SEND = `c.deleted_at is null and c.state = 'active' and s.paused_at is null and r.secret_fault is null`;

/** Further settings: requests of former sessions that are not recorded yet, and of a session that was left, `EndFacts`. */
const ASKED = `'heldElsewhere', (
             select count(*) from (
               -- With this order the planner can use only the index of held deliveries, which are few.
               select from pending_deliveries h
               where h.consumer_id = w.consumer_id and h.held_session < r.session and h.record_refused_at is null
                 -- Later its answer can come no more.
                 and h.next_attempt_at > moment
               order by h.consumer_id, h.held_session limit 1000
             ) h
           ),
           'end', case when w.answers then json_build_object(
             'wakeInMs', (
               select extract(epoch from k.wake_at - clock_timestamp()) * 1000
               from consumer_wake k where k.consumer_id = w.consumer_id
             ),
             'oldestRunning', pg_snapshot_xmin(snapshot)::text, 'mark', own_id::text
           ) end`;

/**
 * The function's answer. The settings of a consumer are one value: each of 20 columns would cost something in every join.
 * @param isAsked a session is opened, or asks for what decides its end
 */
const ROWS = (isAsked: boolean): string => `return query
       select w.consumer_id, f.settings, d.id, d.event_id, d.event_type, d.payment_id, d.attempts, d.schedule_step,
              d.created_at, d.next_attempt_at, b.blocked_by, e.body, e.traceparent
       from unnest(consumer_ids, sessions, answers) w (consumer_id, session, answers)
       cross join lateral (
         select r.session, g.may_send, c.ordering, json_build_object(
           'session', r.session, 'held', coalesce(w.session = r.session, true), 'maySend', g.may_send,
           'url', c.url, 'timeoutMs', c.timeout_ms, 'timestampUnit', c.timestamp_unit, 'ordering', c.ordering,
           'maxConcurrency', c.max_concurrency, 'maxPerSecond', c.max_per_second,
           'retrySchedule', c.retry_schedule, 'caCertificate', c.ca_certificate,
           -- The version in force; read at each fetch, so that a cut-over applies to every worker at once.
           'credentialVersion', (
             select v.version from consumer_credentials v
             where v.consumer_id = c.id and v.activate_at <= clock_timestamp()
             order by v.activate_at desc, v.version desc limit 1
           ),
           -- Times relative to this clock, here and below: a worker's own clock may be wrong.
           'nextSendInMs', extract(epoch from r.next_send_at - clock_timestamp()) * 1000,
           'health', json_build_object(
             'failures', r.failures, 'failed_deliveries', r.failed_deliveries, 'failed_probes', r.failed_probes,
             'failing_for_ms', extract(epoch from clock_timestamp() - r.first_failure_at) * 1000,
             'probe_in_ms', extract(epoch from r.next_probe_at - clock_timestamp()) * 1000
           )${isAsked ? `, ${ASKED}` : ''}
         ) as settings
         from dispatcher_state s
         ${RUNTIME_OF_SESSION}
         ${SETTINGS_OF_SESSION}
         cross join lateral (select ${MAY_SEND} as may_send) g
         -- So that the settings are read once for each session, and not for each delivery.
         limit 1
       ) f
       left join unnest(due) d (id, event_id, consumer_id, event_type, payment_id, number, status, attempts,
         schedule_step, next_attempt_at, first_attempt_at, last_outcome, last_http_status, created_at, pending_since,
         held_session, record_refused_at)
         on d.consumer_id = w.consumer_id and f.may_send
       left join lateral (
         select e.id as blocked_by from pending_deliveries e
         where f.ordering = 'payment' and e.payment_id = d.payment_id and e.event_type = d.event_type and e.number < d.number
           -- Not an equality, for which a planner that considers the table empty could use pending_deliveries_due.
           and e.consumer_id is not distinct from d.consumer_id
         order by e.payment_id, e.event_type, e.number limit 1
       ) b on true
       left join lateral (
         select v.body, v.traceparent from events v
         where v.id between d.event_id and d.event_id
           -- These bounds are known before the statement begins, so only the partitions between them are opened.
           and v.id between first_event and last_event
         -- With this order the planner can use only the primary key's index, also in an empty partition.
         order by v.id limit 1
       ) e on b.blocked_by is null
       where d.id is not null or w.session is null or w.answers or w.session <> f.session or not f.may_send
       order by d.next_attempt_at, d.id;`;

/**
 * Opens delivery sessions, and fetches what is due for all sessions of a worker: one row for each delivery, and one
 * without a delivery for a session that was opened, was lost to another worker, may not send, or asks for an answer.
 *
 * sessions: the number that the worker has, or null to open one. reopens: the session was left and goes on, since an
 * event has come. wanted: maximum number of deliveries. due_from: nothing due before it is left, so deleted index
 * entries before it are not read again; null: read all. answers: a row is asked for in any case.
 * marks: the session was just left. The fetch then gets a transaction id, which is higher than those of all accepts that
 * read the session as open. A snapshot does not have such a bound: its xmax is only the id after the last *ended* one.
 */
export const FETCH_FUNCTION = `create function fetch_deliveries(
     consumer_ids uuid[], sessions bigint[], reopens boolean[], wanted integer[], due_from timestamptz[],
     answers boolean[], marks boolean[], in_flight uuid[]
   )
   returns table (
     consumer_id uuid,
     -- FetchedSettings: of the consumer, as of now.
     settings json,
     id uuid, event_id uuid, event_type text, payment_id text, attempts integer, schedule_step integer,
     created_at timestamptz, next_attempt_at timestamptz, blocked_by uuid, body text, traceparent text
   ) language plpgsql as $$
   #variable_conflict use_column
   declare
     -- A variable, since an index cannot be searched for the result of a volatile function: all deliveries with later
     -- due times would be read.
     moment timestamptz;
     opened uuid[];
     reopened uuid[];
     snapshot pg_snapshot;
     own_id xid8;
     due pending_deliveries[];
     first_event uuid;
     last_event uuid;
     has_rows boolean;
   begin
     if array_position(sessions, null) is not null or true = any (reopens) then
       -- Waits for an earlier session's record that is under way; later records of that session are refused, except of
       -- deliveries that it holds.
       select array_agg(o.consumer_id) filter (where w.session is null),
              array_agg(o.consumer_id) filter (where o.session = w.session)
       into opened, reopened
       from (
         select * from unnest(consumer_ids, sessions, reopens) w (consumer_id, session, reopens)
         where w.session is null or w.reopens order by w.consumer_id
       ) w
       cross join lateral (
         -- With this order the planner can use only the primary key's index, here and below.
         select r.consumer_id, r.session from consumer_runtime r where r.consumer_id between w.consumer_id and w.consumer_id
         order by r.consumer_id limit 1 for no key update
       ) o;
       update consumer_runtime r set session = r.session + 1, session_open = true where r.consumer_id = any (opened);
       update consumer_runtime r set session_open = true where r.consumer_id = any (reopened);
     end if;

     if true = any (marks) then
       own_id := pg_current_xact_id();
     end if;

     -- Before the look for due deliveries: that look has a later snapshot, and so sees all that had ended by this one.
     if true = any (answers) then
       snapshot := pg_current_snapshot();
     end if;
     moment := clock_timestamp();
     -- Two tables only, since usually nothing or one delivery is due, and each further table would cost a tenth more. So
     -- this also finds deliveries that may not be sent now; the statement below leaves them out.
     select array_agg(d.delivery) filter (where (d.delivery).id is not null),
            -- As texts, since PostgreSQL 15 has no smallest uuid.
            min((d.delivery).event_id::text collate "C")::uuid, max((d.delivery).event_id::text collate "C")::uuid,
            bool_or((d.delivery).id is not null or w.session is null or w.answers or w.session <> r.session)
     into due, first_event, last_event, has_rows
     from unnest(consumer_ids, sessions, wanted, due_from, answers) w (consumer_id, session, wanted, due_from, answers)
     ${RUNTIME_OF_SESSION}
     left join lateral (
       select p as delivery from pending_deliveries p
       where coalesce(w.session = r.session, true) and p.consumer_id = w.consumer_id and p.next_attempt_at <= moment
         and p.next_attempt_at >= coalesce(w.due_from, '-infinity') and not p.id = any (in_flight)
       order by p.consumer_id, p.next_attempt_at limit w.wanted
     ) d on true;
     -- An ordinary look: nothing is due, and every session is this worker's.
     if not has_rows then
       return;
     end if;

     if snapshot is null and array_position(sessions, null) is null then
       ${ROWS(false)}
     else
       ${ROWS(true)}
     end if;
   end $$`;
