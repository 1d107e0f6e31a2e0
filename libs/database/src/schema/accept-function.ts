/**
 * Accepts events whose recipients are known: stores keys, payments, events and deliveries in one transaction and one
 * message. Keys are locked before payments, both in index order, so that two batches cannot deadlock.
 */
export const ACCEPT_FUNCTION = `create function accept_events(
     -- The version of the consumers' settings by which the events were routed.
     routed_by bigint,
     producers text[], key_hashes bytea[], content_hashes bytea[],
     -- One entry for each payment: the number of its events, and what they add to it; lists are array literals.
     payment_types text[], payment_ids text[], payment_counts integer[], payment_statuses text[],
     payment_companies text[], payment_consumers text[], payment_producers text[],
     -- One entry for each event, in the order of acceptance. followers: number of later events of the same payment.
     ids uuid[], event_types text[], event_payment_ids text[], followers integer[], statuses text[],
     trace_numbers text[], imads text[], event_ats timestamptz[], bodies text[], event_consumers text[],
     event_deliveries text[], traceparents text[],
     -- One entry for each delivery. delivery_events: the position of its event in the lists above, from 1.
     delivery_ids uuid[], delivery_events bigint[], delivery_consumers uuid[]
   ) returns table (outcome text, enqueue uuid[]) language plpgsql as $$
   #variable_conflict use_column
   declare
     numbers integer[];
     -- Consumers whose session is open.
     served uuid[];
     -- Positions of the deliveries that an earlier status of the payment blocks.
     blocked bigint[];
   begin
     if (select s.routing_version from dispatcher_state s) <> routed_by then
       return query select 'stale_routing', '{}'::uuid[];
       return;
     end if;
     if exists (select from unnest(producers, key_hashes) w (producer, key_hash)
                join idempotency_keys k on k.producer = any (array[w.producer]) and k.key_hash = any (array[w.key_hash])) then
       return query select 'key_taken', '{}'::uuid[];
       return;
     end if;
     -- Waits for another transaction that is inserting the same key; a unique violation rolls everything back.
     insert into idempotency_keys (producer, key_hash, content_hash, notification_id)
     select * from unnest(producers, key_hashes, content_hashes, ids) order by 1, 2;

     with locked as (
       insert into payments as p (event_type, payment_id, last_number, newest_status, company_ids, consumer_ids, producers)
       select s.event_type, s.payment_id, s.statuses, s.newest_status, s.company_ids::text[], s.consumer_ids::uuid[],
              s.producers::text[]
       from unnest(payment_types, payment_ids, payment_counts, payment_statuses, payment_companies, payment_consumers,
                   payment_producers)
         s (event_type, payment_id, statuses, newest_status, company_ids, consumer_ids, producers)
       order by s.event_type, s.payment_id
       on conflict (event_type, payment_id) do update set
         last_number = p.last_number + excluded.last_number,
         company_ids = case when excluded.company_ids <@ p.company_ids then p.company_ids
           else array(select distinct c from unnest(p.company_ids || excluded.company_ids) c) end,
         consumer_ids = case when excluded.consumer_ids <@ p.consumer_ids then p.consumer_ids
           else array(select distinct c from unnest(p.consumer_ids || excluded.consumer_ids) c) end,
         producers = case when excluded.producers <@ p.producers then p.producers
           else array(select distinct c from unnest(p.producers || excluded.producers) c) end,
         newest_status = coalesce(excluded.newest_status, p.newest_status),
         updated_at = now()
       returning p.event_type, p.payment_id, p.last_number
     )
     select array_agg(l.last_number - e.followers order by e.place) into numbers
     from unnest(event_types, event_payment_ids, followers) with ordinality e (event_type, payment_id, followers, place)
     left join locked l on l.event_type = e.event_type and l.payment_id = e.payment_id;

     insert into events (id, event_type, payment_id, number, status, trace_number, imad, event_at, producer, body,
                         consumer_ids, delivery_ids, traceparent)
     select e.id, e.event_type, e.payment_id, e.number, e.status, e.trace_number, e.imad, e.event_at, e.producer, e.body,
            e.consumer_ids::uuid[], e.delivery_ids::uuid[], e.traceparent
     from unnest(ids, event_types, event_payment_ids, numbers, statuses, trace_numbers, imads, event_ats, producers,
                 bodies, event_consumers, event_deliveries, traceparents)
       e (id, event_type, payment_id, number, status, trace_number, imad, event_at, producer, body, consumer_ids,
          delivery_ids, traceparent);

     -- An open session finds the deliveries without a job. Read after this transaction got its id: a session ends only
     -- when all transactions with a lower id than the first after its leaving have ended (leave_sessions).
     select coalesce(array_agg(r.consumer_id), '{}') into served
     from consumer_runtime r where r.consumer_id = any (delivery_consumers) and r.session_open;

     if 1 < any (numbers) then
       with ordered as (
         select d.place, d.consumer_id, e.event_type, e.payment_id, e.number
         from unnest(delivery_events, delivery_consumers) with ordinality d (event, consumer_id, place)
         join unnest(event_types, event_payment_ids, numbers) with ordinality
           e (event_type, payment_id, number, place) on e.place = d.event
         join consumers c on c.id = any (array[d.consumer_id]) and c.ordering = 'payment'
         where e.payment_id is not null
       ),
       first as (
         select o.consumer_id, o.event_type, o.payment_id, min(o.number) as number from ordered o group by 1, 2, 3
       ),
       behind as (
         select f.consumer_id, f.event_type, f.payment_id from first f
         cross join lateral (
           -- Locked, so that the end of this earlier delivery waits for the commit, and then makes the next status
           -- due. An earlier delivery that is ending at the moment is skipped, and the new one is due at once.
           select p.id from pending_deliveries p
           where p.payment_id = f.payment_id and p.event_type = f.event_type and p.number < f.number
             and p.consumer_id is not distinct from f.consumer_id
           order by p.payment_id desc, p.event_type desc, p.number desc limit 1
           for key share skip locked
         ) earlier
         where f.number > 1
       )
       select array_agg(o.place) into blocked from ordered o
       join first f using (consumer_id, event_type, payment_id)
       left join behind h using (consumer_id, event_type, payment_id)
       where o.number > f.number or h.payment_id is not null;
     end if;

     -- Blocked deliveries are parked from the beginning, since each fetch before their turn would be in vain.
     insert into pending_deliveries (id, event_id, consumer_id, event_type, payment_id, number, status, next_attempt_at)
     select d.id, e.id, d.consumer_id, e.event_type, e.payment_id, e.number, e.status,
            case when b.place is null then now() else now() + interval '5 minutes' end
     from unnest(delivery_ids, delivery_events, delivery_consumers) with ordinality d (id, event, consumer_id, place)
     join unnest(ids, event_types, event_payment_ids, numbers, statuses) with ordinality
       e (id, event_type, payment_id, number, status, place) on e.place = d.event
     left join unnest(blocked) b (place) on b.place = d.place;

     return query
     select 'accepted', array(
       -- No job for a consumer to which nothing may be sent now: the end of its pause or open circuit adds one.
       select c.id from consumers c
       join consumer_runtime r on r.consumer_id = c.id
       cross join dispatcher_state s
       where c.id = any (delivery_consumers) and not c.id = any (served)
         and c.state = 'active' and s.paused_at is null and r.secret_fault is null
         and (r.next_probe_at is null or r.next_probe_at <= now()));
   end $$`;
