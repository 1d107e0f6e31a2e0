import type { Health, Observed } from '#libs/policy';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { uuids } from '../connection/columns.js';
import type { Transaction } from '../connection/connection.js';
import type { ConsumerRuntime } from '../schema/tables.js';

/**
 * Locks the runtime rows of these consumers, in the order of their ids, which is the order that every statement uses.
 * Recording results of these consumers, and opening their sessions, waits for this transaction.
 * @returns the current rows, by consumer
 */
export async function lockRuntime(
  trx: Transaction,
  consumerIds: readonly string[],
): Promise<Map<string, Selectable<ConsumerRuntime>>> {
  const rows = await trx
    .selectFrom('consumer_runtime')
    .selectAll()
    .where('consumer_id', '=', sql<string>`any (${uuids(consumerIds, (id) => id)})`)
    .orderBy('consumer_id')
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.consumer_id, row]));
}

/** A consumer's health in its runtime row; times are relative to PostgreSQL's clock. */
export interface HealthRow {
  readonly failures: number;
  readonly failed_deliveries: string[];
  readonly failing_for_ms: number | null;
  readonly failed_probes: number;
  /** Null: the circuit is closed. */
  readonly probe_in_ms: number | null;
}

/** @param nowMs when PostgreSQL has answered, by the monotonic clock */
export const healthOf = (row: HealthRow, nowMs: number): Health => ({
  failures: row.failures,
  failedDeliveries: row.failed_deliveries,
  firstFailureAtMs: row.failing_for_ms === null ? null : nowMs - row.failing_for_ms,
  circuit:
    row.probe_in_ms === null
      ? null
      : { failedProbes: row.failed_probes, nextProbeAtMs: nowMs + row.probe_in_ms },
});

/**
 * Reads and locks the health of a consumer whose session is another one now: only PostgreSQL has it.
 * @returns undefined for a consumer that was deleted
 */
export async function lockHealth(trx: Transaction, consumerId: string): Promise<Health | undefined> {
  const { rows } = await sql<HealthRow>`
    select failures, failed_deliveries::text[] as failed_deliveries, failed_probes,
           (extract(epoch from clock_timestamp() - first_failure_at) * 1000)::float8 as failing_for_ms,
           (extract(epoch from next_probe_at - clock_timestamp()) * 1000)::float8 as probe_in_ms
    from consumer_runtime where consumer_id = ${consumerId} for no key update`.execute(trx);
  const [row] = rows;
  return row === undefined ? undefined : healthOf(row, performance.now());
}

/** How results of attempts change a consumer's health. Moments are of this process's monotonic clock. */
export interface HealthChange extends Observed {
  readonly consumerId: string;
  readonly before: Health;
  /** The session's last success; null if it had none. */
  readonly lastSuccessAtMs: number | null;
}

/** PostgreSQL's times of a circuit that is open, or has just been closed. */
export interface CircuitTimes {
  readonly openedAt: Date;
  /** Null: it is closed. */
  readonly nextProbeAt: Date | null;
  readonly writtenAt: Date;
}

/**
 * Stores a consumer's new health, and locks its row. Every time is written by PostgreSQL's clock, since other processes
 * act on it. An unchanged circuit is not written: an operator may have requested a probe meanwhile; nor is the time of
 * the first failure, unless a new run of failures has begun.
 */
export async function writeHealth(
  trx: Transaction,
  { consumerId, before, health, transition, lastSuccessAtMs }: HealthChange,
): Promise<CircuitTimes> {
  const { failures, failedDeliveries, firstFailureAtMs, circuit } = health;
  const isSameRun = firstFailureAtMs === before.firstFailureAtMs;
  const { rows } = await sql<CircuitTimes>`
    update consumer_runtime r
    set failures = ${failures}::int, failed_deliveries = ${uuids(failedDeliveries, (id) => id)},
        first_failure_at = ${isSameRun ? sql`r.first_failure_at` : onItsClock(firstFailureAtMs)},
        last_success_at = ${lastSuccessAtMs === null ? sql`r.last_success_at` : onItsClock(lastSuccessAtMs)}
        ${
          transition === null
            ? sql``
            : sql`,
        circuit_opened_at = ${circuit === null ? sql`null` : sql`coalesce(r.circuit_opened_at, clock_timestamp())`},
        failed_probes = ${circuit?.failedProbes ?? 0}::int,
        next_probe_at = ${onItsClock(circuit?.nextProbeAtMs ?? null)}`
        }
    from consumer_runtime former
    where r.consumer_id = ${consumerId} and former.consumer_id = r.consumer_id
    returning coalesce(r.circuit_opened_at, former.circuit_opened_at, clock_timestamp()) as "openedAt",
              r.next_probe_at as "nextProbeAt", clock_timestamp() as "writtenAt"`.execute(trx);
  const [times] = rows;
  if (times === undefined) throw new Error('the consumer has no runtime row');
  return times;
}

/** A moment of this process's monotonic clock as PostgreSQL's time, as the statement is sent. */
const onItsClock = (atMs: number | null): RawBuilder<unknown> =>
  sql`clock_timestamp() + ${atMs === null ? null : atMs - performance.now()}::float8 * interval '1 millisecond'`;
