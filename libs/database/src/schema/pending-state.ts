/**
 * The derived state of every pending delivery, with the columns of the lists. The rule is `pendingStateOf` of libs/policy;
 * test/integration/pending-state.spec.ts compares the two.
 */
export const PENDING_STATE_VIEW = `create view pending_delivery_states as
   select p.id, p.event_id, p.consumer_id, c.name as consumer_name, p.event_type, p.payment_id, p.number,
          p.status, case w.what when 'queued' then 'queued' when 'sending' then 'sending' else 'held' end as state,
          case when w.what not in ('queued', 'sending') then w.what end as hold_reason,
          p.attempts,
          case w.what when 'queued' then p.next_attempt_at end as next_attempt_at,
          p.last_outcome, p.last_http_status, p.created_at, p.first_attempt_at, null::timestamptz as finished_at,
          -- Start of the hold reason, or of the pending state if that is later. greatest and least ignore nulls.
          case w.what
            when 'record' then greatest(p.record_refused_at, p.pending_since)
            when 'order' then greatest(p.created_at, p.pending_since)
            when 'paused' then greatest(least(c.paused_at, (select paused_at from dispatcher_state)), p.pending_since)
            when 'secret' then greatest(r.secret_fault_at, p.pending_since)
            when 'circuit' then greatest(r.circuit_opened_at, p.pending_since)
            when 'concurrency' then greatest(p.next_attempt_at, p.pending_since)
          end as held_since,
          null::text as end_reason, null::timestamptz as settled_at, null::text as settled_by, null::text as settle_reason
   from pending_deliveries p
   -- Outer joins on unique keys: PostgreSQL omits them from a query that uses no column of these tables.
   left join consumers c on c.id = p.consumer_id
   left join consumer_runtime r on r.consumer_id = p.consumer_id
   cross join lateral (
     select case
       -- The set is computed once for each query. Workers report every 2 s.
       when p.id in (
         select unnest(sending) from workers where seen_at > statement_timestamp() - interval '6 seconds') then 'sending'
       when p.record_refused_at is not null then 'record'
       when c.ordering = 'payment' and p.payment_id is not null and exists (
         select from pending_deliveries e
         where e.consumer_id = p.consumer_id and e.event_type = p.event_type and e.payment_id = p.payment_id
           and e.number < p.number) then 'order'
       when c.paused_at is not null or (select paused_at from dispatcher_state) is not null then 'paused'
       when r.secret_fault_at is not null then 'secret'
       when r.circuit_opened_at is not null then 'circuit'
       when p.next_attempt_at <= statement_timestamp() and p.consumer_id in (
         select unnest(at_limit) from workers where seen_at > statement_timestamp() - interval '6 seconds')
         then 'concurrency'
       else 'queued'
     end as what
     -- Keeps the subquery whole; otherwise PostgreSQL would evaluate it again for each column.
     offset 0
   ) w`;
