/**
 * Accepts events whose recipients are known: stores keys, payments, events and deliveries in one transaction and one
 * message. Keys are locked before payments, both in index order, so that two batches cannot deadlock.
 *
 * No statement here depends on statistics, which are wrong in a young database: a large table is only written, or
 * read by lateral look-ups with a limit, for which the planner has no choice but the index.
 */
export const ACCEPT_FUNCTION = `create function accept_events(
     -- The version of the consumers' settings by which the events were routed.
     routed_by bigint,
     -- The consumers of all deliveries, each once.
     recipients uuid[],
     -- One entry for each payment: the number of its events, and what they add to it; lists are array literals.
     payment_types text[], payment_ids text[], payment_counts integer[], payment_statuses text[],
     payment_companies text[], payment_consumers text[], payment_producers text[],
     -- One entry for each event, in the order of acceptance. followers: number of later events of the same payment.
     -- expected_numbers: of an event that was routed by its payment's past, the number that follows this past.
     ids uuid[], producers text[], key_hashes bytea[], content_hashes bytea[], event_types text[],
     event_payment_ids text[], followers integer[], expected_numbers integer[], statuses text[], trace_numbers text[],
     imads text[], event_ats timestamptz[], bodies text[], traceparents text[],
     -- The event's deliveries. behind: whether the same consumer gets an earlier event of the payment in this batch.
     event_consumers text[], event_deliveries text[], event_behinds text[],
     out outcome text, out enqueue uuid[]
   ) language plpgsql as $$
   #variable_conflict use_column
   declare
     kept integer;
     numbers integer[];
     is_expected boolean;
   begin
     -- Here and below, unnest is in the select list: in the from clause, each column would be copied to a store first.
     -- Waits for another transaction that is inserting the same key.
     insert into idempotency_keys (producer, key_hash, content_hash, notification_id)
     select w.producer, w.key_hash, w.content_hash, w.id
     from (select unnest(producers) as producer, unnest(key_hashes) as key_hash, unnest(content_hashes) as content_hash,
                  unnest(ids) as id) w
     where (select s.routing_version from dispatcher_state s) = routed_by
     order by 1, 2
     on conflict do nothing;
     get diagnostics kept = row_count;
     if kept < cardinality(ids) then
       raise exception using errcode = 'DN001', message =
         case when (select s.routing_version from dispatcher_state s) = routed_by then 'key_taken' else 'stale_routing' end;
     end if;

     if cardinality(payment_ids) > 0 then
       with locked as (
         insert into payments as p (event_type, payment_id, last_number, newest_status, company_ids, consumer_ids, producers)
         select s.event_type, s.payment_id, s.statuses, s.newest_status, s.company_ids::text[], s.consumer_ids::uuid[],
                s.producers::text[]
         from (select unnest(payment_types) as event_type, unnest(payment_ids) as payment_id,
                      unnest(payment_counts) as statuses, unnest(payment_statuses) as newest_status,
                      unnest(payment_companies) as company_ids, unnest(payment_consumers) as consumer_ids,
                      unnest(payment_producers) as producers) s
         order by s.event_type, s.payment_id
         on conflict (event_type, payment_id) do update set
           last_number = p.last_number + excluded.last_number,
           company_ids = case when excluded.company_ids <@ p.company_ids then p.company_ids
             else array_union(p.company_ids, excluded.company_ids) end,
           consumer_ids = case when excluded.consumer_ids <@ p.consumer_ids then p.consumer_ids
             else array_union(p.consumer_ids, excluded.consumer_ids) end,
           producers = case when excluded.producers <@ p.producers then p.producers
             else array_union(p.producers, excluded.producers) end,
           newest_status = coalesce(excluded.newest_status, p.newest_status),
           updated_at = now()
         returning p.event_type, p.payment_id, p.last_number
       )
       select array_agg(l.last_number - e.followers order by e.place),
              bool_and(l.last_number - e.followers = e.expected)
       into numbers, is_expected
       from (select unnest(event_types) as event_type, unnest(event_payment_ids) as payment_id,
                    unnest(followers) as followers, unnest(expected_numbers) as expected,
                    generate_subscripts(ids, 1) as place) e
       left join locked l on l.event_type = e.event_type and l.payment_id = e.payment_id;
       if not is_expected then
         raise exception using errcode = 'DN001', message = 'stale_past';
       end if;
     end if;

     insert into events (id, event_type, payment_id, number, status, trace_number, imad, event_at, producer, body,
                         consumer_ids, delivery_ids, traceparent)
     select e.id, e.event_type, e.payment_id, e.number, e.status, e.trace_number, e.imad, e.event_at, e.producer, e.body,
            e.consumer_ids::uuid[], e.delivery_ids::uuid[], e.traceparent
     from (select unnest(ids) as id, unnest(event_types) as event_type, unnest(event_payment_ids) as payment_id,
                  unnest(numbers) as number, unnest(statuses) as status, unnest(trace_numbers) as trace_number,
                  unnest(imads) as imad, unnest(event_ats) as event_at, unnest(producers) as producer,
                  unnest(bodies) as body, unnest(event_consumers) as consumer_ids,
                  unnest(event_deliveries) as delivery_ids, unnest(traceparents) as traceparent) e;

     outcome := 'accepted';
     if cardinality(recipients) = 0 then
       enqueue := '{}';
       return;
     end if;

     -- Blocked deliveries are parked from the beginning, since each fetch before their turn would be in vain.
     insert into pending_deliveries (id, event_id, consumer_id, event_type, payment_id, number, status, next_attempt_at)
     select d.id, e.id, d.consumer_id, e.event_type, e.payment_id, e.number, e.status,
            case when blocked.is_blocked then now() + interval '5 minutes' else now() end
     from (select unnest(ids) as id, unnest(event_types) as event_type, unnest(event_payment_ids) as payment_id,
                  unnest(numbers) as number, unnest(statuses) as status, unnest(event_consumers) as consumer_ids,
                  unnest(event_deliveries) as delivery_ids, unnest(event_behinds) as behinds) e
     cross join lateral (
       select unnest(e.delivery_ids::uuid[]) as id, unnest(e.consumer_ids::uuid[]) as consumer_id,
              unnest(e.behinds::boolean[]) as is_behind
     ) d
     left join lateral (
       select d.is_behind or exists (
                -- Locked, so that the end of this earlier delivery waits for the commit, and then makes the next
                -- status due. An earlier delivery that is ending at the moment is skipped: the new one is due at once.
                -- The consumer is no equality, for which the planner could use pending_deliveries_due.
                select p.id from pending_deliveries p
                where p.payment_id = e.payment_id and p.event_type = e.event_type and p.number < e.number
                  and p.consumer_id is not distinct from d.consumer_id
                order by p.payment_id desc, p.event_type desc, p.number desc limit 1
                for key share skip locked
              ) as is_blocked
       from consumers c where e.number > 1 and c.id = d.consumer_id and c.ordering = 'payment' limit 1
     ) blocked on true;

     -- Consumers that need a job. An open session finds the deliveries without one. This is a statement of its own,
     -- after the transaction has got its id: if it sees a session open, then a worker that closes the session sees
     -- this transaction as running or its deliveries as committed, and a session ends only when all transactions that
     -- were running at its closing have ended. This takes no lock: for concurrent accepts of a busy consumer,
     -- PostgreSQL would maintain lists of the row's lockers (multixacts), which cost more than the rest of accept.
     select coalesce(array_agg(w.id), '{}') into enqueue
     from (select unnest(recipients) as id) w
     cross join lateral (
       -- No job for a consumer to which nothing may be sent now: the end of its pause or open circuit adds one.
       select from consumer_runtime r
       where r.consumer_id = w.id and not r.session_open and r.secret_fault is null
         and (r.next_probe_at is null or r.next_probe_at <= now()) limit 1
     ) waiting
     cross join lateral (select from consumers c where c.id = w.id and c.state = 'active' limit 1) active
     where (select s.paused_at from dispatcher_state s) is null;
   exception
     -- Nothing is kept, also in a transaction of the caller. Caught, since an error would be in PostgreSQL's log.
     when sqlstate 'DN001' then
       outcome := sqlerrm;
       enqueue := '{}';
   end $$`;
