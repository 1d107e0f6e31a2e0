import { heldTooLongSince, type Standstill } from '#libs/delivery';
import { sql } from 'kysely';
import { instants, uuids } from '../columns.js';
import { lookedUp } from '../by-primary-key.js';
import type { Database } from '../connection.js';
import { lockGates } from '../gates/health.js';
import { intoHistory } from './into-history.js';
import { releaseNextInLane, type Released } from './release-next-in-lane.js';

const DAY_MS = 86_400_000;

interface Limit {
  consumer_id: string;
  max_held_days: number;
  standstills: { began_at: string; ended_at: string }[];
}

export interface Expired {
  readonly dead: readonly { readonly deliveryId: string; readonly consumerId: string }[];
  readonly released: readonly Released[];
}

/**
 * Ends deliveries that were held for longer than their consumer's limit without a single attempt that counted (a
 * failed probe does not), at most `limit` of them. Time paused, or lost to a fault of ours, does not count; a paused
 * consumer's wait, and so do those of one whose credentials cannot be opened. What waited for their turn goes on.
 */
export async function expireHeld(db: Database, now: Date, limit: number): Promise<Expired> {
  const limits = await heldLimits(db);
  const since = limits.map((row) => ({
    consumerId: row.consumer_id,
    heldSince: heldTooLongSince(now, row.max_held_days * DAY_MS, standstillsOf(row)),
  }));
  const { rows: doomed } = await sql<{ consumer_id: string }>`
    select l.consumer_id from unnest(
      ${uuids(since, (l) => l.consumerId)}, ${instants(since, (l) => l.heldSince)}
    ) l (consumer_id, held_since)
    where exists (select from open_deliveries d
      where d.consumer_id = l.consumer_id and d.state = 'held' and d.schedule_step = 0 and d.held_since < l.held_since)`.execute(
    db,
  );
  const ids = new Set(doomed.map((row) => row.consumer_id));
  const concerned = since.filter(({ consumerId }) => ids.has(consumerId));
  if (concerned.length === 0) return { dead: [], released: [] };
  return db.transaction().execute(async (trx) => {
    await lockGates(
      trx,
      concerned.map(({ consumerId }) => consumerId),
    );
    const { rows: dead } = await sql<{
      id: string;
      consumer_id: string;
      event_type: Released['eventType'];
      payment_id: string | null;
    }>`
      with expired as (
        select d.id from unnest(
          ${uuids(concerned, (l) => l.consumerId)}, ${instants(concerned, (l) => l.heldSince)}
        ) l (consumer_id, held_since)
        cross join lateral (
          select o.id from open_deliveries o
          where o.consumer_id = l.consumer_id and o.state = 'held' and o.schedule_step = 0
            and o.held_since < l.held_since
          order by o.held_since limit ${limit}::int for update skip locked
        ) d
        limit ${limit}::int
      ),
      gone as (delete from open_deliveries d using expired e where ${lookedUp('d.id', 'e.id')} returning d.*)
      ${intoHistory(sql`gone f`, { state: sql`'dead'`, endReason: sql`'held_too_long'` })}
      returning id, consumer_id, event_type, payment_id`.execute(trx);
    const released = await releaseNextInLane(
      trx,
      dead.flatMap(({ consumer_id, event_type, payment_id }) =>
        payment_id === null
          ? []
          : [{ consumerId: consumer_id, eventType: event_type, paymentId: payment_id }],
      ),
    );
    return { dead: dead.map((row) => ({ deliveryId: row.id, consumerId: row.consumer_id })), released };
  });
}

/** Consumers that are not paused and have anything that could expire. */
async function heldLimits(db: Database): Promise<Limit[]> {
  const { rows } = await sql<Limit>`
    select c.id as consumer_id, c.max_held_days,
           coalesce((select json_agg(json_build_object('began_at', s.began_at, 'ended_at', s.ended_at))
                     from standstills s
                     where (s.consumer_id = c.id or s.consumer_id is null)
                       and s.ended_at > now() - make_interval(days => 400)), '[]') as standstills
    from consumers c
    where c.deleted_at is null and c.state = 'active'
      and not exists (select from consumer_gates g where g.consumer_id = c.id and g.secret_fault is not null)
      and not exists (select from dispatcher_state where paused_at is not null)
      and exists (select from open_deliveries d
                  where d.consumer_id = c.id and d.state = 'held' and d.schedule_step = 0
                    and d.held_since < now() - make_interval(days => c.max_held_days))`.execute(db);
  return rows;
}

const standstillsOf = (limit: Limit): Standstill[] =>
  limit.standstills.map(({ began_at, ended_at }) => ({
    beganAt: new Date(began_at),
    endedAt: new Date(ended_at),
  }));
