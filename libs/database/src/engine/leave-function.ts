/**
 * Leaves delivery sessions: one without work, before it ends, and one that goes to another worker. It does not wait for
 * requests in flight: their deliveries are held for this session, which still records them. The next session begins at
 * once; it sends neither these deliveries nor the next statuses of their payments, and counts them as its own requests.
 * If this worker dies, they become due by themselves. Nothing happens when another worker has opened a session since.
 *
 * Accept adds a job for each event from now on. It may have read *open* just before, and commit later; so a session
 * without work ends only when every transaction that began before has ended (apps/worker, leaving.ts).
 */
export const LEAVE_FUNCTION = `create function leave_sessions(
     consumer_ids uuid[], sessions bigint[], next_send_in_ms float8[], succeeded_ms_ago float8[],
     -- Requests in flight: their delivery and its session, how often it was attempted before, and until when the answer
     -- can come. payment_ids: null for a consumer without order.
     ids uuid[], of_consumers uuid[], event_types text[], payment_ids text[], attempt_counts integer[], hold_ms float8[]
   ) returns void language plpgsql as $$
   #variable_conflict use_column
   declare
     left_consumers uuid[];
     ended uuid[];
     recorded uuid[] := '{}';
   begin
     select array_agg(o.consumer_id) into left_consumers
     from (select * from unnest(consumer_ids, sessions) w (consumer_id, session) order by w.consumer_id) w
     cross join lateral (
       -- With this order the planner can use only the primary key's index, here and below.
       select r.consumer_id, r.session from consumer_runtime r where r.consumer_id between w.consumer_id and w.consumer_id
       order by r.consumer_id limit 1 for no key update
     ) o
     where o.session = w.session;

     update consumer_runtime r
     set session_open = false,
         next_send_at = clock_timestamp()
           + next_send_in_ms[array_position(consumer_ids, r.consumer_id)] * interval '1 millisecond',
         -- greatest ignores nulls.
         last_success_at = greatest(r.last_success_at, clock_timestamp()
           - succeeded_ms_ago[array_position(consumer_ids, r.consumer_id)] * interval '1 millisecond')
     where r.consumer_id = any (left_consumers);

     if cardinality(ids) > 0 then
       select array_agg(q.id) into ended
       from unnest(ids) q (id)
       left join lateral (
         select p.id from pending_deliveries p where p.id between q.id and q.id order by p.id limit 1
       ) p on true
       where p.id is null;
       -- Ended by its answer, which was recorded a moment ago: nothing has to wait for it. A statement of its own, since it
       -- is rare, and all partitions are locked for it.
       if ended is not null then
         select coalesce(array_agg(d.id), '{}') into recorded
         from unnest(ended) q (id)
         cross join lateral (
           select e.id, e.end_reason from deliveries e where e.id between q.id and q.id order by e.id limit 1
         ) d
         where d.end_reason in ('acknowledged', 'schedule_used_up');
       end if;
       update pending_deliveries d
       set held_session = held.session, next_attempt_at = now() + held.hold_ms * interval '1 millisecond'
       from (
         select p.id, f.session, f.hold_ms
         from (
           select coalesce(own.id, next.id) as id, w.session, q.hold_ms, w.consumer_id,
                  coalesce(own.event_type, next.event_type) as event_type,
                  coalesce(own.payment_id, next.payment_id) as payment_id, coalesce(own.number, next.number) as number
           from unnest(ids, of_consumers, event_types, payment_ids, attempt_counts, hold_ms)
             q (id, consumer_id, event_type, payment_id, attempts, hold_ms)
           join unnest(consumer_ids, sessions) w (consumer_id, session) on w.consumer_id = q.consumer_id
           left join lateral (
             select p.* from pending_deliveries p where p.id between q.id and q.id order by p.id limit 1
           ) own on true
           left join lateral (
             -- An operator has ended it meanwhile: its answer still has to come before the payment's next status is sent.
             select p.* from pending_deliveries p
             where p.payment_id = q.payment_id and p.event_type = q.event_type
               and p.consumer_id is not distinct from q.consumer_id
             order by p.payment_id, p.event_type, p.number limit 1
           ) next on own.id is null and not q.id = any (recorded)
           where w.consumer_id = any (left_consumers) and coalesce(own.id, next.id) is not null
             -- Not one whose answer was recorded a moment ago.
             and (own.id is null or own.attempts = q.attempts)
           order by w.consumer_id, event_type, payment_id, number, id
         ) f
         cross join lateral (
           select p.id from pending_deliveries p where p.id between f.id and f.id order by p.id limit 1 for no key update
         ) p
       ) held
       where d.id = any (array[held.id]);
     end if;
   end $$`;
