/**
 * Records results of attempts: the attempt's row, then the delivery's end or its next time. The session's number is
 * the fence: a worker that was suspended or has lost its consumer writes nothing.
 */
export const RECORD_FUNCTION = `create function record_attempts(
     consumer_ids uuid[], sessions bigint[], ids uuid[],
     -- For safe repetition: a result that is recorded again, since the answer was lost, changes nothing.
     attempt_numbers integer[],
     -- A final state; or null, with the time until the next attempt, and 1 if this one counts in the schedule.
     states text[], retry_in_ms bigint[], spends integer[],
     outcomes text[], http_statuses integer[], details text[], started timestamptz[], durations_ms integer[],
     urls text[], credential_versions integer[], request_headers jsonb[], response_headers jsonb[],
     response_bodies text[], truncated boolean[], clock_skews_ms bigint[], probes boolean[]
   ) returns uuid[] language plpgsql as $$
   #variable_conflict use_column
   declare
     held uuid[];
     -- attempt_numbers with null for the attempts that are not recorded.
     numbers integer[];
     is_complete boolean;
   begin
     -- Ids are compared with arrays of one element: for an equality, the planner could hash the whole table.
     -- This lock and the opening of a session wait for each other, so one of the two comes first.
     select coalesce(array_agg(r.consumer_id), '{}') into held from (
       select o.consumer_id from consumer_runtime o
       join (select distinct * from unnest(consumer_ids, sessions) d (consumer_id, session)) w
         on o.consumer_id = any (array[w.consumer_id]) and o.session = any (array[w.session])
       order by o.consumer_id for share of o
     ) r;

     with locked as materialized (
       select d.id
       from (
         select r.id, r.number, d.consumer_id, d.event_type, d.payment_id, d.number as place
         from unnest(ids, consumer_ids, attempt_numbers) r (id, consumer_id, number)
         cross join lateral (
           -- With this order the planner can use only the primary key's index, here and below.
           select p.* from pending_deliveries p where p.id between r.id and r.id order by p.id limit 1
         ) d
         where r.consumer_id = any (held)
         order by d.consumer_id, d.event_type, d.payment_id, d.number, d.id
       ) found
       cross join lateral (
         select p.id from pending_deliveries p
         where p.id between found.id and found.id and p.attempts + 1 = found.number
         order by p.id limit 1 for update
       ) d
     )
     select array_agg(case when l.id is not null then r.number end order by r.place),
            bool_and(l.id is not null or not r.consumer_id = any (held))
     into numbers, is_complete
     from unnest(ids, consumer_ids, attempt_numbers) with ordinality r (id, consumer_id, number, place)
     left join locked l on l.id = r.id;

     if not is_complete then
       -- A delivery ended while in flight, for example cancelled by an operator: its attempt is stored and counted,
       -- and nothing else changes. Only in this case, since an update of deliveries opens all its partitions.
       with ended as (
         update deliveries d set attempts = r.number
         from unnest(ids, consumer_ids, attempt_numbers, numbers) r (id, consumer_id, number, locked_number)
         where d.id = any (array[r.id]) and r.locked_number is null and r.consumer_id = any (held)
           and d.attempts + 1 = any (array[r.number])
         returning d.id, d.attempts
       )
       select array_agg(coalesce(r.number, e.attempts) order by r.place) into numbers
       from unnest(ids, numbers) with ordinality r (id, number, place) left join ended e on e.id = r.id;
     end if;

     insert into attempts (delivery_id, failed_consumer_id, number, started_at, duration_ms, outcome, http_status, detail,
                           url, credential_version, request_headers, response_headers, response_body,
                           response_truncated, clock_skew_ms, probe)
     select r.id, case when r.outcome <> 'acknowledged' then r.consumer_id end, r.number, r.started_at, r.duration_ms,
            r.outcome, r.http_status, r.detail, r.url, r.credential_version, r.request_headers, r.response_headers,
            r.response_body, r.truncated, r.clock_skew_ms, r.probe
     from unnest(ids, consumer_ids, numbers, started, durations_ms, outcomes, http_statuses, details, urls,
                 credential_versions, request_headers, response_headers, response_bodies, truncated, clock_skews_ms,
                 probes)
       r (id, consumer_id, number, started_at, duration_ms, outcome, http_status, detail, url, credential_version,
          request_headers, response_headers, response_body, truncated, clock_skew_ms, probe)
     where r.number is not null;

     if array_position(states, null) is not null then
       update pending_deliveries d
       set attempts = d.attempts + 1, schedule_step = d.schedule_step + r.spends,
           next_attempt_at = now() + r.retry_in_ms * interval '1 millisecond',
           first_attempt_at = coalesce(d.first_attempt_at, r.started_at),
           last_outcome = r.outcome, last_http_status = r.http_status
       from unnest(ids, numbers, states, retry_in_ms, spends, started, outcomes, http_statuses)
         r (id, number, state, retry_in_ms, spends, started_at, outcome, http_status)
       where r.state is null and r.number is not null and d.id = any (array[r.id]);
     end if;

     perform finish_deliveries(array_agg(r.id), array_agg(r.state),
       array_agg(case r.state when 'delivered' then 'acknowledged' else 'schedule_used_up' end),
       array_agg(r.outcome), array_agg(r.http_status), array_agg(r.started_at))
     from unnest(ids, numbers, states, outcomes, http_statuses, started)
       r (id, number, state, outcome, http_status, started_at)
     where r.state is not null and r.number is not null
     having count(*) > 0;
     return held;
   end $$`;
