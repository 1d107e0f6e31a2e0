import { PENDING_LIMIT_MS, pendingTooLongSince } from '#libs/policy';
import { sql } from 'kysely';
import { instants, uuids } from '../connection/columns.js';
import type { Database } from '../connection/connection.js';
import { isTooSlow, isUnavailable, retryTransient } from '../connection/faults.js';
import { firstIdAt } from '../schema/partitions.js';
import { endPending, lockPending } from './end-pending.js';

/** Tolerance for clocks: an id has the time of the api's clock, which may be ahead of PostgreSQL's. */
const CLOCK_SLACK_MS = 15 * 60_000;

interface Expired {
  readonly deliveryId: string;
  readonly consumerId: string;
}

/** A consumer with deliveries that may have expired, and the time of the oldest one. */
interface Limit {
  readonly consumerId: string;
  readonly pendingSince: Date;
}

/** The result of an expiry. */
interface Expiration {
  readonly ended: readonly Expired[];
  /** Deliveries that PostgreSQL has refused to end, and why. They stay pending. */
  readonly refused: readonly (Expired & { readonly error: unknown })[];
}

/**
 * Ends deliveries that have been pending for too long, at most `limit` of them. Excluded downtime does not count:
 * pauses, and time lost to faults of the dispatcher. So deliveries of a paused consumer, or of one whose credentials
 * cannot be decrypted, do not expire. The payment's next status becomes due; the caller enqueues the consumers.
 * If the statement for all of them fails, each is ended alone, so that one that cannot be ended delays no other.
 * @param now PostgreSQL's time
 * @param except deliveries to leave out, since they were refused before
 */
export async function expirePending(
  db: Database,
  now: Date,
  limit: number,
  except: readonly string[] = [],
): Promise<Expiration> {
  const expired = await findExpired(db, now, limit, except);
  if (expired.length === 0) return { ended: [], refused: [] };
  try {
    return { ended: await end(db, now, expired), refused: [] };
  } catch (error) {
    if (isUnavailable(error) && !isTooSlow(error)) throw error;
  }
  const ended: Expired[] = [];
  const refused: (Expired & { error: unknown })[] = [];
  for (const one of expired) {
    try {
      ended.push(...(await end(db, now, [one])));
    } catch (error) {
      // What has been ended until now is committed, and has to be reported.
      refused.push({ ...one, error });
      if (isUnavailable(error) && !isTooSlow(error)) break;
    }
  }
  return { ended, refused };
}

async function findExpired(
  db: Database,
  now: Date,
  limit: number,
  except: readonly string[],
): Promise<Expired[]> {
  const limits = await limitsOf(db, now);
  if (limits.length === 0) return [];
  const { rows } = await sql<Expired>`
    select d.id as "deliveryId", d.consumer_id as "consumerId"
    from unnest(${uuids(limits, (l) => l.consumerId)}, ${instants(limits, (l) => l.pendingSince)})
      l (consumer_id, pending_since)
    join pending_deliveries d on d.consumer_id = l.consumer_id and d.pending_since < l.pending_since
    where d.id < ${newestIdOf(now)}::uuid and d.id <> all (${uuids(except, (id) => id)})
    limit ${limit}::int`.execute(db);
  return rows;
}

/** Ends these deliveries in one transaction. @returns those that were still pending for too long */
function end(db: Database, now: Date, expired: readonly Expired[]): Promise<Expired[]> {
  return retryTransient(() =>
    db.transaction().execute(async (trx) => {
      const locked = await lockPending(
        trx,
        expired.map(({ deliveryId }) => deliveryId),
      );
      const { rows } = await sql<Expired>`
        select d.id as "deliveryId", d.consumer_id as "consumerId" from pending_deliveries d
        -- Excludes deliveries that an operator has replayed in the meantime.
        where d.id = any (${uuids(locked, (id) => id)}) and d.pending_since < ${longestAgo(now)}`.execute(
        trx,
      );
      const ended = new Set(
        await endPending(
          trx,
          rows.map(({ deliveryId }) => deliveryId),
          { state: 'dead', reason: 'pending_too_long' },
        ),
      );
      return rows.filter(({ deliveryId }) => ended.has(deliveryId));
    }),
  );
}

/**
 * Finds the consumers that are not held and have a delivery older than the limit. Ids are ordered by time, so this
 * reads only the old rows, not all pending ones.
 */
async function limitsOf(db: Database, now: Date): Promise<Limit[]> {
  const { rows } = await sql<{ consumer_id: string; downtimes: { began_at: string; ended_at: string }[] }>`
    select c.id as consumer_id,
           coalesce((select json_agg(json_build_object('began_at', s.began_at, 'ended_at', s.ended_at))
                     from excluded_downtime s
                     where (s.consumer_id = c.id or s.consumer_id is null)
                       and s.ended_at > now() - make_interval(days => 400)), '[]') as downtimes
    from (
      select distinct d.consumer_id from pending_deliveries d
      where d.id < ${newestIdOf(now)}::uuid and d.pending_since < ${longestAgo(now)}
    ) old
    join consumers c on c.id = old.consumer_id
    join consumer_runtime r on r.consumer_id = c.id
    where c.deleted_at is null and c.state = 'active' and r.secret_fault is null
      and not exists (select from dispatcher_state where paused_at is not null)`.execute(db);
  return rows.map(({ consumer_id: consumerId, downtimes }) => ({
    consumerId,
    pendingSince: pendingTooLongSince(
      now,
      PENDING_LIMIT_MS,
      downtimes.map(({ began_at, ended_at }) => ({
        beganAt: new Date(began_at),
        endedAt: new Date(ended_at),
      })),
    ),
  }));
}

const longestAgo = (now: Date): Date => new Date(now.getTime() - PENDING_LIMIT_MS);
const newestIdOf = (now: Date): string => firstIdAt(now.getTime() - PENDING_LIMIT_MS + CLOCK_SLACK_MS);
