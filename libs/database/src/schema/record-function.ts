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
     next_number integer;
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
       -- A delivery was ended or reopened while in flight, for example by an operator. Its attempt has reached the
       -- consumer, so it is stored with the next free number; the schedule, which it does not belong to any more, stays.
       -- Only in this case, since an update of deliveries opens all its partitions.
       for place in 1 .. cardinality(ids) loop
         continue when numbers[place] is not null or not consumer_ids[place] = any (held);
         -- An operator can move the delivery between the two tables while a look waits: each look has a newer snapshot.
         for look in 1 .. 5 loop
           -- A repetition, since the answer was lost: two attempts of a delivery never start at the same time.
           exit when exists (select from attempts a
                             where a.delivery_id = any (array[ids[place]]) and a.started_at = started[place]);
           select p.attempts + 1 into next_number from pending_deliveries p
           where p.id = any (array[ids[place]]) for update;
           if found then
             numbers[place] := next_number;
             if states[place] = 'delivered' then
               perform finish_deliveries(array[ids[place]], array['delivered'], array['acknowledged'],
                 array[outcomes[place]], array[http_statuses[place]], array[started[place]]);
             else
               update pending_deliveries p
               set attempts = next_number, first_attempt_at = coalesce(p.first_attempt_at, started[place]),
                   last_outcome = outcomes[place], last_http_status = http_statuses[place]
               where p.id = any (array[ids[place]]);
             end if;
           else
             -- What the consumer has acknowledged is delivered, also if somebody has cancelled it meanwhile.
             update deliveries d
             set attempts = d.attempts + 1, first_attempt_at = coalesce(d.first_attempt_at, started[place]),
                 state = case when is_acknowledged then 'delivered' else d.state end,
                 end_reason = case when is_acknowledged then 'acknowledged' else d.end_reason end,
                 finished_at = case when is_acknowledged then now() else d.finished_at end,
                 last_outcome = case when is_acknowledged then outcomes[place] else d.last_outcome end,
                 last_http_status = case when is_acknowledged then http_statuses[place] else d.last_http_status end,
                 settled_at = case when is_acknowledged then null else d.settled_at end,
                 settled_by = case when is_acknowledged then null else d.settled_by end,
                 settle_reason = case when is_acknowledged then null else d.settle_reason end
             from (select states[place] is not distinct from 'delivered' and d.state <> 'delivered' as is_acknowledged
                   from deliveries d where d.id = any (array[ids[place]])) r
             where d.id = any (array[ids[place]])
             returning d.attempts into next_number;
             continue when not found;
             numbers[place] := next_number;
           end if;
           -- Nothing else follows from it.
           states[place] := 'stored';
           exit;
         end loop;
       end loop;
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
     where r.state in ('delivered', 'dead') and r.number is not null
     having count(*) > 0;
     return held;
   end $$`;
