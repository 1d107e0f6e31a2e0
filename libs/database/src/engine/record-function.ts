/**
 * Records results of attempts: the attempt's row, then the delivery's end or its next time. The session's number is
 * the fence: a worker that was suspended or has lost its consumer writes nothing to pending deliveries, except to those
 * that its session holds (`leave_sessions`).
 *
 * A result is late when its delivery has changed since it was fetched: it ended, or it ended and was opened again. A late
 * result is recorded alone, so that it waits for its delivery with no other one locked. In a batch nothing is written of
 * it: its delivery is in the answer's `late`, and the caller records that result again in a batch of one.
 */
export const RECORD_FUNCTION = `create function record_attempts(
     consumer_ids uuid[], sessions bigint[], ids uuid[],
     -- Count of the delivery's attempts when it was fetched, plus 1; and its step in the retry schedule then.
     attempt_numbers integer[], steps integer[],
     -- A final state; or null, with the time until the next attempt, and 1 if this one counts in the schedule.
     states text[], retry_in_ms bigint[], spends integer[],
     outcomes text[], http_statuses integer[], details text[], started timestamptz[], durations_ms integer[],
     urls text[], remote_addresses text[], credential_versions integer[], request_headers jsonb[], response_headers jsonb[],
     response_bodies text[], truncated boolean[], clock_skews_ms bigint[], probes boolean[],
     -- New counts of failures of consumers whose circuit does not change: HealthCounts; null: none has changed.
     health jsonb,
     -- Consumers whose session still has the number. Deliveries whose result is late, or was refused by the fence.
     -- Consumers with a next status that became due.
     out held uuid[], out late uuid[], out fenced uuid[], out released uuid[]
   ) language plpgsql as $$
   #variable_conflict use_column
   declare
     -- attempt_numbers with null for the attempts that are not recorded.
     numbers integer[];
     is_complete boolean;
     -- Every decision was made from the step that its delivery still has.
     is_current boolean;
     attempted integer;
     current_step integer;
     is_own boolean;
     is_pending boolean;
     change record;
   begin
     late := '{}';
     fenced := '{}';
     released := '{}';
     -- This lock and the opening of a session wait for each other, so one of the two comes first.
     select coalesce(array_agg(o.consumer_id), '{}') into held
     from (select distinct * from unnest(consumer_ids, sessions) d (consumer_id, session) order by 1) w
     cross join lateral (
       -- With this order the planner can use only the primary key's index, here and below, whatever the statistics.
       select r.consumer_id, r.session from consumer_runtime r where r.consumer_id between w.consumer_id and w.consumer_id
       order by r.consumer_id limit 1 for share
     ) o
     where o.session = w.session;

     -- Locks the deliveries and, as lock_ending does, the next statuses of the payments of those that end.
     with result as (
       select * from unnest(ids, consumer_ids, sessions, states) r (id, consumer_id, session, state)
     ),
     own as (
       select d.id, d.consumer_id, d.event_type, d.payment_id, d.number, r.state
       from result r
       cross join lateral (
         select p.* from pending_deliveries p where p.id between r.id and r.id order by p.id limit 1
       ) d
       where r.consumer_id = any (held) or d.held_session = r.session
     ),
     locked as materialized (
       select d.id, d.attempts, d.schedule_step, d.held_session
       from (select * from own order by consumer_id, event_type, payment_id, number, id) found
       cross join lateral (
         select p.* from pending_deliveries p where p.id between found.id and found.id order by p.id limit 1
         for no key update
       ) d
       cross join lateral (
         select count(*) from (
           select n.id from pending_deliveries n
           -- One delivery alone locks in the right order anyway.
           where found.state is not null and cardinality(ids) > 1
             -- Of d, not of found: otherwise the planner may lock the next status before the delivery itself.
             and n.payment_id = d.payment_id and n.event_type = d.event_type and n.number > d.number
             and n.consumer_id is not distinct from d.consumer_id
           order by n.payment_id, n.event_type, n.number limit 1 for no key update
         ) n
       ) next
     )
     select array_agg(case when l.id is not null then r.number end order by r.place), bool_and(l.id is not null),
            coalesce(bool_and(l.schedule_step = r.step), true)
     into numbers, is_complete, is_current
     from unnest(ids, consumer_ids, sessions, attempt_numbers, steps) with ordinality
       r (id, consumer_id, session, number, step, place)
     left join locked l on l.id = r.id and l.attempts + 1 = r.number
       and (r.consumer_id = any (held) or l.held_session = r.session);

     if not is_complete then
       -- Without the results that are recorded already, and again since the answer was lost. The attempts of a delivery
       -- are made one after the other, so their times differ. A delivery that another session has,
       -- or has ended, is refused; one that an operator or its age has ended is not.
       select coalesce(array_agg(r.id) filter (where not r.is_foreign), '{}'),
              coalesce(array_agg(r.id) filter (where r.is_foreign), '{}')
       into late, fenced
       from (
         select r.id, not r.consumer_id = any (held) and coalesce(
                  (select p.held_session is distinct from r.session from pending_deliveries p
                   where p.id = any (array[r.id])),
                  (select d.end_reason in ('acknowledged', 'schedule_used_up') from deliveries d
                   where d.id = any (array[r.id])),
                  false) as is_foreign
         from unnest(ids, consumer_ids, sessions, numbers, started) r (id, consumer_id, session, number, started_at)
         where r.number is null
           -- A scalar subquery, so that the planner uses the primary key for each row, whatever the statistics.
           and (select a.number from attempts a
                where a.delivery_id = any (array[r.id]) and a.started_at = r.started_at limit 1) is null
       ) r;

       if cardinality(ids) = 1 and cardinality(late) = 1 then
         late := '{}';
         loop
           -- Each lock waits for the command that is moving the delivery to the other table.
           select d.attempts, d.schedule_step, consumer_ids[1] = any (held) or d.held_session is not distinct from sessions[1]
           into attempted, current_step, is_own from pending_deliveries d where d.id = ids[1] for update;
           is_pending := found;
           if not is_pending then
             select d.attempts, consumer_ids[1] = any (held) or d.end_reason not in ('acknowledged', 'schedule_used_up')
             into attempted, is_own from deliveries d where d.id = ids[1] for update;
           end if;
           -- Neither table has a delivery that retention has removed.
           exit when found or not exists (
             select from pending_deliveries d where d.id = ids[1] union all select from deliveries d where d.id = ids[1]);
         end loop;

         if not is_own then
           fenced := ids;
         -- Compared again under the lock: the first record of the result may have been under way.
         elsif attempted is not null and not exists (
              select from attempts a where a.delivery_id = ids[1] and a.started_at = started[1]) then
           numbers := array[attempted + 1];
           if is_pending then
             -- An attempt that was made after this one is recorded, and has decided when the next one is made.
             is_current := numbers = attempt_numbers and current_step = steps[1];
           else
             update deliveries d
             set attempts = numbers[1], first_attempt_at = coalesce(d.first_attempt_at, started[1]),
                 last_outcome = case d.state when 'delivered' then d.last_outcome else outcomes[1] end,
                 last_http_status = case d.state when 'delivered' then d.last_http_status else http_statuses[1] end
             where d.id = ids[1];
             -- The consumer has it, so it is neither cancelled nor dead.
             update deliveries d
             set state = 'delivered', end_reason = 'acknowledged', finished_at = now(),
                 settled_at = null, settled_by = null, settle_reason = null
             where d.id = ids[1] and d.state <> 'delivered' and states[1] = 'delivered';
             -- The next status of its payment, if the session holds that one in its place.
             update pending_deliveries n set held_session = null, next_attempt_at = now()
             from deliveries d
             where d.id = ids[1] and n.payment_id = d.payment_id and n.event_type = d.event_type
               and n.consumer_id is not distinct from d.consumer_id and n.held_session = sessions[1];
           end if;
         end if;
       end if;
     end if;

     if not is_current then
       -- The delivery was opened again or its schedule restarted since it was fetched: what was decided from the former
       -- step does not count, and the delivery stays due. An acknowledgement ends it all the same.
       select array_agg(case when d.fits or r.state = 'delivered' then r.state end order by r.place),
              array_agg(case when d.fits then r.retry_in_ms end order by r.place),
              array_agg(case when d.fits then r.spends else 0 end order by r.place)
       into states, retry_in_ms, spends
       from unnest(ids, numbers, attempt_numbers, steps, states, retry_in_ms, spends) with ordinality
         r (id, number, expected, step, state, retry_in_ms, spends, place)
       cross join lateral (
         select coalesce((select p.schedule_step = r.step and r.number = r.expected
                          from pending_deliveries p where p.id = any (array[r.id])), true) as fits
       ) d;
     end if;

     insert into attempts (delivery_id, failed_consumer_id, number, started_at, duration_ms, outcome, http_status, detail,
                           url, remote_address, credential_version, request_headers, response_headers, response_body,
                           response_truncated, clock_skew_ms, probe)
     select r.id, case when r.outcome <> 'acknowledged' then r.consumer_id end, r.number, r.started_at, r.duration_ms,
            r.outcome, r.http_status, r.detail, r.url, r.remote_address, r.credential_version, r.request_headers, r.response_headers,
            r.response_body, r.truncated, r.clock_skew_ms, r.probe
     from unnest(ids, consumer_ids, numbers, started, durations_ms, outcomes, http_statuses, details, urls,
                 remote_addresses, credential_versions, request_headers, response_headers, response_bodies, truncated, clock_skews_ms,
                 probes)
       r (id, consumer_id, number, started_at, duration_ms, outcome, http_status, detail, url, remote_address, credential_version,
          request_headers, response_headers, response_body, truncated, clock_skew_ms, probe)
     where r.number is not null;

     if array_position(states, null) is not null then
       update pending_deliveries d
       set attempts = d.attempts + 1, schedule_step = d.schedule_step + r.spends,
           next_attempt_at = case when r.retry_in_ms is not null then now() + r.retry_in_ms * interval '1 millisecond'
                                  when d.held_session is null then d.next_attempt_at
                                  else least(d.next_attempt_at, now()) end,
           first_attempt_at = coalesce(d.first_attempt_at, r.started_at),
           last_outcome = r.outcome, last_http_status = r.http_status, held_session = null, record_refused_at = null
       from unnest(ids, numbers, states, retry_in_ms, spends, started, outcomes, http_statuses)
         r (id, number, state, retry_in_ms, spends, started_at, outcome, http_status)
       where r.state is null and r.number is not null and d.id = any (array[r.id]);
     end if;

     if array_length(array_remove(states, null), 1) > 0 then
       select coalesce(array_agg(f.consumer_id) filter (where f.releases), '{}') into released
       from (
         select array_agg(r.id) as ids, array_agg(r.state) as states,
                array_agg(case r.state when 'delivered' then 'acknowledged' else 'schedule_used_up' end) as reasons,
                array_agg(r.outcome) as outcomes, array_agg(r.http_status) as http_statuses,
                array_agg(r.started_at) as started
         from unnest(ids, numbers, states, outcomes, http_statuses, started)
           r (id, number, state, outcome, http_status, started_at)
         where r.state is not null and r.number is not null
         having count(*) > 0
       ) e
       cross join lateral finish_deliveries(e.ids, e.states, e.reasons, e.outcomes, e.http_statuses, e.started) f;
     end if;

     if health is not null then
       for change in
         select h.* from jsonb_to_recordset(health)
           h ("consumerId" uuid, failures integer, "failedDeliveries" uuid[], "isSameRun" boolean, "failingForMs" float8,
              "succeededMsAgo" float8)
         where h."consumerId" = any (held) order by h."consumerId"
       loop
         update consumer_runtime r
         set failures = change.failures, failed_deliveries = change."failedDeliveries",
             first_failure_at = case when change."isSameRun" then r.first_failure_at
                                     else clock_timestamp() - change."failingForMs" * interval '1 millisecond' end,
             last_success_at =
               coalesce(clock_timestamp() - change."succeededMsAgo" * interval '1 millisecond', r.last_success_at)
         where r.consumer_id = change."consumerId";
       end loop;
     end if;
   end $$`;
