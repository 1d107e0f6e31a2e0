import { ACCEPT_FUNCTION } from './accept-function.js';
import { FETCH_FUNCTION } from './fetch-function.js';
import { LEAVE_FUNCTION } from './leave-function.js';
import { RECORD_FUNCTION } from './record-function.js';

/**
 * The steps of a delivery that need more than one statement, but only one message. A later statement must see what an
 * earlier one waited for (READ COMMITTED: each statement of a VOLATILE function has its own snapshot).
 *
 * To avoid deadlocks, every transaction locks in this order: payments, consumer_runtime by consumer, pending_deliveries
 * by (consumer_id, event_type, payment_id, number, id). One that ends several deliveries locks them and the next status
 * of each payment in one statement (`lock_ending`, `record_attempts`), because their end changes the next status.
 */
export const DELIVERY_FUNCTIONS: readonly string[] = [
  ACCEPT_FUNCTION,

  // Locks pending deliveries, and the next status of each one's payment: the end of the delivery makes that one due.
  // If two transactions locked them one after the other, A1 and B1 the one, A2 and B1 the other, it would be a deadlock.
  `create function lock_ending(ids uuid[]) returns setof uuid language sql as $$
     select locked.id
     from (
       select p.id, p.consumer_id, p.event_type, p.payment_id, p.number
       from unnest(ids) e (id) cross join lateral (
         -- With this order the planner can use only the primary key's index.
         select d.* from pending_deliveries d where d.id between e.id and e.id order by d.id limit 1
       ) p
       order by p.consumer_id, p.event_type, p.payment_id, p.number, p.id
     ) found
     cross join lateral (
       select p.* from pending_deliveries p where p.id between found.id and found.id order by p.id limit 1
       for no key update
     ) locked
     -- Of one that still exists. A next status that was ended meanwhile is skipped, and the one after it locked. An
     -- aggregate, so that the planner cannot leave it out. Its conditions name locked, not found: otherwise the planner
     -- may lock the next status before the delivery itself.
     cross join lateral (
       select count(*) from (
         select n.id from pending_deliveries n
         where n.payment_id = locked.payment_id and n.event_type = locked.event_type and n.number > locked.number
           -- Not an equality, for which a planner that considers the table empty could use pending_deliveries_due.
           and n.consumer_id is not distinct from locked.consumer_id
         order by n.payment_id, n.event_type, n.number limit 1 for no key update
       ) n
     ) next
   $$`,

  // Ends pending deliveries, which the caller has locked together with the next status of each payment. All ends use
  // it: record, cancellation, expiry and removal of a consumer. releases: the consumer has a next status that is due now.
  `create function finish_deliveries(
     ids uuid[], states text[], reasons text[],
     -- Of the attempt that ended the delivery; null where no attempt did.
     outcomes text[], http_statuses integer[], started timestamptz[]
   ) returns table (id uuid, consumer_id uuid, releases boolean) language plpgsql as $$
   #variable_conflict use_column
   declare
     gone pending_deliveries[];
     released uuid[];
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
                               last_outcome, last_http_status, created_at, first_attempt_at, finished_at, end_reason, replayed)
       select (p).id, (p).event_id, (p).consumer_id, (p).event_type, (p).payment_id, (p).number, (p).status, e.state,
              (p).attempts + (e.started_at is not null)::int, coalesce(e.outcome, (p).last_outcome),
              case when e.started_at is null then (p).last_http_status else e.http_status end, (p).created_at,
              coalesce((p).first_attempt_at, e.started_at), now(), e.reason, (p).pending_since > (p).created_at
       from removed join ending e on e.id = (removed.p).id
     )
     select array_agg(p) into gone from removed;

     -- In a later statement, so that it also sees a next status that was accepted or parked while this one waited.
     -- Materialized, since each status must be locked once: a planner that considers the table small would repeat the
     -- join for each of its rows, skip what this statement has updated, and lock and change the status after it.
     with next as materialized (
       select n.id
       from (
         select g.consumer_id, g.event_type, g.payment_id, min(g.number) as number from unnest(gone) g
         cross join lateral (
           select c.ordering from consumers c where c.id between g.consumer_id and g.consumer_id order by c.id limit 1
         ) c
         where g.payment_id is not null and c.ordering = 'payment'
         group by g.consumer_id, g.event_type, g.payment_id order by g.consumer_id, g.event_type, g.payment_id
       ) payment
       cross join lateral (
         -- Locked, usually for a second time: it can be one that was accepted since. A status earlier than the ended
         -- ones is not touched: its own end makes the next one due.
         select n.id, n.next_attempt_at, n.held_session from pending_deliveries n
         where n.payment_id = payment.payment_id and n.event_type = payment.event_type and n.number > payment.number
           -- Not an equality, for which a planner that considers the table empty could use pending_deliveries_due.
           and n.consumer_id is not distinct from payment.consumer_id
         order by n.payment_id, n.event_type, n.number limit 1 for no key update
       ) n
       -- A status that is held is being sent by an ended session, and becomes due when that is recorded.
       where n.next_attempt_at > now() and n.held_session is null
     ),
     changed as (
       update pending_deliveries d set next_attempt_at = now() from next where d.id = any (array[next.id])
       returning d.consumer_id
     )
     select array_agg(c.consumer_id) into released from changed c;

     return query
     select g.id, g.consumer_id, coalesce(g.consumer_id = any (released), false) from unnest(gone) g;
   end $$`,

  FETCH_FUNCTION,

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

  LEAVE_FUNCTION,

  RECORD_FUNCTION,
];
