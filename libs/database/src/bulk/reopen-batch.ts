import { sql, type RawBuilder } from 'kysely';
import { intoOpen } from '../acts/into-open.js';
import type { Database } from '../connection.js';
import { lockForAdmission } from '../delivering/admission-facts.js';
import { CLOSED_BECAUSE } from '../gates/closed-because.js';
import { FINISHED, OPEN } from '../reading/deliveries.repository.js';
import type { Batch, BatchDone } from './batch.js';

/**
 * Sends a batch on its way, under its consumers' gates: what is finished is opened again, what is open is brought
 * forward. All of it goes on hold, behind its payment's earlier ones or at its gate, and from there a window at a
 * time, like any backlog: however many come again, the queue and their consumers get no more of them at once.
 *
 * `replay` begins the schedule of what is open anew, and with it the days that it may be held without an attempt;
 * `retry` leaves alone what is due, or on hold, already.
 */
export async function reopenBatch(
  trx: Database,
  { action, ids, consumerIds, covers }: Batch & { readonly action: 'retry' | 'replay' },
): Promise<BatchDone> {
  const { rows: reopened } = await sql<{ id: string }>`
    with gone as (
      delete from deliveries d
      where d.id = any (${ids}::uuid[]) and d.id in (select id from (${FINISHED}) f where id = any (${ids}::uuid[]) and ${covers})
        and d.consumer_id in (select id from consumers where id = any (${consumerIds}::uuid[]) and deleted_at is null)
        -- A scalar, so that each is looked up by its key whatever the statistics say.
        and (select e.id from events e where e.id = d.event_id) is not null
      returning d.*
    )
    ${intoOpen(sql`gone f`, 'concurrency')} returning id`.execute(trx);
  await lockForAdmission(trx, ids);
  const { rows: placed } = await sql<{ consumer_id: string }>`
    with gate as materialized (
      select c.id, c.ordering, ${CLOSED_BECAUSE} as reason
      from consumers c join consumer_gates g on g.consumer_id = c.id
      where c.id = any (${consumerIds}::uuid[]) and c.deleted_at is null
    )
    update open_deliveries d
    set state = 'held',
        hold_reason = case
          when gate.ordering = 'payment' and exists (
            select from open_deliveries p
            where p.consumer_id = d.consumer_id and p.event_type = d.event_type and p.payment_id = d.payment_id
              and p.number < d.number) then 'order'
          else coalesce(gate.reason, 'concurrency') end,
        held_since = ${action === 'replay' ? sql`now()` : sql`coalesce(d.held_since, now())`},
        next_attempt_at = case when d.state = 'held' then d.next_attempt_at else now() end,
        schedule_step = ${action === 'replay' ? sql`0` : sql`d.schedule_step`},
        lease_until = null, probe = false, reserved = false
    from gate
    where gate.id = d.consumer_id and d.id = any (${ids}::uuid[]) and (
      d.id = any (${reopened.map(({ id }) => id)}::uuid[])
      or (${MOVES[action]} and d.id in (select id from (${OPEN}) o where id = any (${ids}::uuid[]) and ${covers})))
    returning d.consumer_id`.execute(trx);
  return {
    changed: placed.length,
    released: [],
    atGateOf: [...new Set(placed.map((row) => row.consumer_id))],
  };
}

/** Which open deliveries an action moves; never one that a worker has. */
const MOVES: Readonly<Record<'retry' | 'replay', RawBuilder<unknown>>> = {
  retry: sql`((d.state = 'queued' and d.next_attempt_at > now()) or (d.state = 'sending' and d.lease_until <= now()))`,
  replay: sql`(d.state <> 'sending' or d.lease_until <= now())`,
};
