/**
 * Records results of attempts: the attempt's row, then the delivery's end or its next time. The session's number is
 * the fence: a worker that was suspended or has lost its consumer writes nothing.
 *
 * A result is late when its delivery has changed since it was fetched: it ended, or it ended and was opened again. A late
 * result is recorded alone, so that it waits for its delivery with no other one locked. In a batch nothing is written of
 * it: its delivery is in the answer's `late`, and the caller records that result again in a batch of one.
 */
export const RECORD_FUNCTION = `create function record_attempts(
     consumer_ids uuid[], sessions bigint[], ids uuid[],
     -- Count of the delivery's attempts when it was fetched, plus 1.
     attempt_numbers integer[],
     -- A final state; or null, with the time until the next attempt, and 1 if this one counts in the schedule.
     states text[], retry_in_ms bigint[], spends integer[],
     outcomes text[], http_statuses integer[], details text[], started timestamptz[], durations_ms integer[],
     urls text[], credential_versions integer[], request_headers jsonb[], response_headers jsonb[],
     response_bodies text[], truncated boolean[], clock_skews_ms bigint[], probes boolean[],
     out held uuid[], out late uuid[]
   ) language plpgsql as $$
   #variable_conflict use_column
   declare
     -- attempt_numbers with null for the attempts that are not recorded.
     numbers integer[];
     is_complete boolean;
     earlier integer;
     is_pending boolean;
   begin
     late := '{}';
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
       -- Without the results that are recorded already, and again since the answer was lost. The attempts of a delivery
       -- are made one after the other, so their times differ.
       select coalesce(array_agg(r.id), '{}') into late
       from unnest(ids, consumer_ids, numbers, started) r (id, consumer_id, number, started_at)
       where r.number is null and r.consumer_id = any (held)
         -- A scalar subquery, so that the planner uses the primary key for each row, whatever the statistics.
         and (select a.number from attempts a
              where a.delivery_id = any (array[r.id]) and a.started_at = r.started_at limit 1) is null;

       if cardinality(ids) = 1 and cardinality(late) = 1 then
         late := '{}';
         loop
           -- Each lock waits for the command that is moving the delivery to the other table.
           select d.attempts into earlier from pending_deliveries d where d.id = ids[1] for update;
           is_pending := found;
           if not is_pending then
             select d.attempts into earlier from deliveries d where d.id = ids[1] for update;
           end if;
           -- Neither table has a delivery that retention has removed.
           exit when found or not exists (
             select from pending_deliveries d where d.id = ids[1] union all select from deliveries d where d.id = ids[1]);
         end loop;

         -- Compared again under the lock: the first record of the result may have been under way.
         if earlier is not null and not exists (
              select from attempts a where a.delivery_id = ids[1] and a.started_at = started[1]) then
           numbers := array[earlier + 1];
           if is_pending and states[1] is distinct from 'delivered' and numbers <> attempt_numbers then
             -- An attempt that was made after this one is recorded, and has decided when the next one is made.
             states := '{null}';
             spends := '{0}';
             retry_in_ms := '{null}';
           elsif not is_pending then
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
           end if;
         end if;
       end if;
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
           next_attempt_at = coalesce(now() + r.retry_in_ms * interval '1 millisecond', d.next_attempt_at),
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
   end $$`;
