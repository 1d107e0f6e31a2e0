import type { HoldReason, OpenState } from '#libs/contracts';
import type { Candidate, Gate } from '#libs/delivery';
import { sql } from 'kysely';
import type { Database } from '../connection.js';
import { onlyRow } from '../by-primary-key.js';
import { prepared } from '../prepared.js';

/** One consumer's gate and those of its deliveries that ask for admission, the one that has waited longest first. */
export interface AtGate {
  readonly consumerId: string;
  readonly gate: Gate;
  readonly candidates: readonly (Candidate & { readonly id: string })[];
}

/**
 * Locks the gates of the consumers concerned, then the deliveries and whatever is open before them in their lanes,
 * until the transaction ends. Under a gate's lock nobody else admits, so that `maxConcurrency` and `maxPerSecond` are
 * exact over all workers; under the predecessor's lock it cannot finish unseen while its successor is put on hold.
 * Gates before deliveries, both in one order, everywhere: two transactions never wait for each other in a circle.
 *
 * A statement of its own: what it waited for shows only in the snapshot of the next one.
 *
 * @param commit `lazy`: the transaction's commit does not wait for the disk, so nobody may be promised anything by it
 */
export async function lockForAdmission(
  trx: Database,
  ids: readonly string[],
  commit: 'durable' | 'lazy' = 'durable',
): Promise<void> {
  await sql`
    ${prepared('take-lock')}
    with wanted as materialized (
      select d.id, d.consumer_id, d.event_type, d.payment_id, d.number
      from open_deliveries d where d.id = any (${ids}::uuid[])
    ),
    gates as materialized (
      select g.consumer_id from consumer_gates g
      where g.consumer_id in (select consumer_id from wanted)
      order by g.consumer_id for no key update
    ),
    before as (
      select earlier.* from wanted w
      cross join lateral (
        select o.id, o.consumer_id, o.event_type, o.payment_id, o.number from open_deliveries o
        where o.consumer_id = w.consumer_id and o.event_type = w.event_type and o.payment_id = w.payment_id
          and o.number < w.number
        offset 0
      ) earlier
    )
    select d.id from (
      select id from (select * from wanted union select * from before) either
      where (select count(*) from gates) >= 0 and (${commit} <> 'lazy' or (select set_config('synchronous_commit', 'off', true)) = 'off')
      order by consumer_id, event_type, payment_id, number, id
    ) concerned
    cross join lateral (select d.id from open_deliveries d where d.id = concerned.id for no key update) d`.execute(
    trx,
  );
}

interface Row {
  id: string;
  consumer_id: string;
  state: OpenState;
  hold_reason: HoldReason | null;
  reserved: boolean;
  lease_in_ms: number | null;
  due_in_ms: number;
  behind: boolean;
  usable: boolean;
  removed: boolean;
  paused: boolean;
  secret_fault: boolean;
  probe_in_ms: number | null;
  sending: number;
  max_concurrency: number;
  max_per_second: number | null;
  failures: number;
  next_send_in_ms: number | null;
  next_slot_in_ms: number | null;
}

const ms = (interval: string) => sql.raw(`(extract(epoch from ${interval}) * 1000)::float8`);

/** Reads what the decision needs, for every one of these deliveries that is still open. */
export async function readAdmissionFacts(trx: Database, ids: readonly string[]): Promise<AtGate[]> {
  const { rows } = await sql<Row>`
    ${prepared('take-facts')}
    with candidate as materialized (
      select d.* from open_deliveries d where d.id = any (${ids}::uuid[])
    ),
    gate as materialized (
      select c.id, c.deleted_at is not null as removed, c.ordering,
             c.state = 'paused' or (select s.paused_at is not null from dispatcher_state s) as paused,
             coalesce(g.secret_fault is not null, false) as secret_fault,
             ${ms('g.next_probe_at - now()')} as probe_in_ms,
             (select count(*)::int from open_deliveries o
              where o.consumer_id = c.id and o.state = 'sending' and o.lease_until > now()) as sending,
             c.max_concurrency, c.max_per_second, coalesce(g.failures, 0) as failures,
             ${ms('g.next_send_at - now()')} as next_send_in_ms,
             ${ms('g.next_slot_at - now()')} as next_slot_in_ms,
             g.consumer_id is not null and exists (
               select from consumer_credentials v where v.consumer_id = c.id and v.activate_at <= now()) as usable
      from consumers c left join consumer_gates g on g.consumer_id = c.id
      where c.id in (select consumer_id from candidate)
    )
    select d.id, d.consumer_id, d.state, d.hold_reason, d.reserved,
           ${ms('d.lease_until - now()')} as lease_in_ms, ${ms('d.next_attempt_at - now()')} as due_in_ms,
           gate.ordering = 'payment' and d.number is not null and exists (
             select from open_deliveries p
             where p.consumer_id = d.consumer_id and p.event_type = d.event_type and p.payment_id = d.payment_id
               and p.number < d.number) as behind,
           gate.usable and (select e.id from events e where ${onlyRow('e.id', 'd.event_id')}) is not null as usable,
           gate.removed, gate.paused, gate.secret_fault, gate.probe_in_ms, gate.sending, gate.max_concurrency,
           gate.max_per_second, gate.failures, gate.next_send_in_ms, gate.next_slot_in_ms
    from candidate d join gate on gate.id = d.consumer_id
    order by d.consumer_id, coalesce(d.held_since, d.next_attempt_at), d.id`.execute(trx);
  return [...Map.groupBy(rows, (row) => row.consumer_id)].map(([consumerId, ofConsumer]) => ({
    consumerId,
    gate: gateOf(ofConsumer[0]),
    candidates: ofConsumer.map(candidateOf),
  }));
}

function gateOf(row: Row | undefined): Gate {
  if (row === undefined) throw new Error('a group has at least one row');
  return {
    removed: row.removed,
    paused: row.paused,
    secretFault: row.secret_fault,
    probeInMs: row.probe_in_ms,
    sending: row.sending,
    maxConcurrency: row.max_concurrency,
    maxPerSecond: row.max_per_second,
    failures: row.failures,
    nextSendInMs: row.next_send_in_ms ?? 0,
    nextSlotInMs: row.next_slot_in_ms ?? 0,
  };
}

const candidateOf = (row: Row): Candidate & { readonly id: string } => ({
  id: row.id,
  state: row.state,
  holdReason: row.hold_reason,
  leaseInMs: row.lease_in_ms,
  dueInMs: row.due_in_ms,
  reserved: row.reserved,
  behind: row.behind,
  usable: row.usable,
});
