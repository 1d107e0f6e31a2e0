import type { AuditAction } from '#libs/contracts';
import { observe, type Health, type Observation, type Observed } from '#libs/delivery';
import { sql, type Selectable } from 'kysely';
import { recordAudit } from '../access/audit.js';
import { uuids } from '../columns.js';
import type { Database } from '../connection.js';
import type { ConsumerGatesTable } from '../tables.js';

/** Who is named in the audit log for what the dispatcher does by itself. */
export const DISPATCHER = 'dispatcher';

/** What happened at a consumer's gate; written to the audit log with it, and told by the caller. */
export interface Transition {
  readonly consumerId: string;
  readonly kind:
    | 'circuit_opened'
    | 'circuit_closed'
    | 'probe_failed'
    | 'paused_by_consumer'
    | 'secret_fault'
    | 'secret_mended';
  readonly details: Readonly<Record<string, unknown>>;
}

export interface ConsumerObservations {
  readonly consumerId: string;
  /** In the order in which they came. */
  readonly observations: readonly Observation[];
}

export interface HealthKept {
  readonly transitions: readonly Transition[];
  /** Consumers that answer again: their windows may be larger now. */
  readonly recovered: readonly string[];
}

/**
 * Keeps what attempts say of their consumers, and opens, probes on and closes circuits by it; under the gates' locks,
 * so that concurrent workers count together. After **record**, not in it: a count lost in a crash costs nothing.
 */
export async function keepHealth(db: Database, seen: readonly ConsumerObservations[]): Promise<HealthKept> {
  return db.transaction().execute(async (trx) => {
    const gates = await lockGates(
      trx,
      seen.map(({ consumerId }) => consumerId),
    );
    const transitions: Transition[] = [];
    const recovered: string[] = [];
    for (const { consumerId, observations } of seen) {
      const gate = gates.get(consumerId);
      if (gate === undefined) continue;
      const { health, transition } = observe(healthOf(gate), observations);
      if (health.failures < gate.failures || transition === 'closed') recovered.push(consumerId);
      await writeHealth(trx, consumerId, health);
      if (transition !== null) transitions.push(circuitTransition(consumerId, transition, health));
    }
    for (const transition of transitions) await auditTransition(trx, transition);
    return { transitions, recovered };
  });
}

/** Locks the gates of these consumers, in the order that all use, and returns them as they are now. */
export async function lockGates(
  trx: Database,
  consumerIds: readonly string[],
): Promise<Map<string, Selectable<ConsumerGatesTable>>> {
  const rows = await trx
    .selectFrom('consumer_gates')
    .selectAll()
    .where('consumer_id', '=', sql<string>`any (${uuids(consumerIds, (id) => id)})`)
    .orderBy('consumer_id')
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.consumer_id, row]));
}

/** Writes a transition to the audit log, in its own transaction, in the dispatcher's name. */
export async function auditTransition(
  trx: Database,
  { consumerId, kind, details }: Transition,
): Promise<void> {
  await recordAudit(trx, {
    actor: DISPATCHER,
    action: `consumer.${kind}` satisfies AuditAction,
    target: `consumer:${consumerId}`,
    address: null,
    details,
  });
}

function healthOf(gate: Selectable<ConsumerGatesTable>): Health {
  const { circuit_opened_at: openedAt, next_probe_at: nextProbeAt } = gate;
  return {
    failures: gate.failures,
    failedDeliveries: gate.failed_deliveries,
    firstFailureAt: gate.first_failure_at,
    circuit:
      openedAt === null || nextProbeAt === null
        ? null
        : { openedAt, nextProbeAt, failedProbes: gate.failed_probes },
  };
}

/** Writes a consumer's health as it is from now on; the gate's lock is the caller's. */
export async function writeHealth(trx: Database, consumerId: string, health: Health): Promise<void> {
  await trx
    .updateTable('consumer_gates')
    .set({
      failures: health.failures,
      failed_deliveries: [...health.failedDeliveries],
      first_failure_at: health.firstFailureAt,
      circuit_opened_at: health.circuit?.openedAt ?? null,
      failed_probes: health.circuit?.failedProbes ?? 0,
      next_probe_at: health.circuit?.nextProbeAt ?? null,
    })
    .where('consumer_id', '=', consumerId)
    .execute();
}

function circuitTransition(
  consumerId: string,
  transition: NonNullable<Observed['transition']>,
  { failures, circuit }: Health,
): Transition {
  const nextProbeAt = circuit?.nextProbeAt.toISOString();
  switch (transition) {
    case 'opened':
      return { consumerId, kind: 'circuit_opened', details: { failures, nextProbeAt } };
    case 'probe_failed':
      return {
        consumerId,
        kind: 'probe_failed',
        details: { failedProbes: circuit?.failedProbes, nextProbeAt },
      };
    case 'closed':
      return { consumerId, kind: 'circuit_closed', details: {} };
  }
}
