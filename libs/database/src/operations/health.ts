import type { Health } from '#libs/policy';
import { sql, type Selectable } from 'kysely';
import { uuids } from '../columns.js';
import type { Transaction } from '../connection.js';
import type { ConsumerRuntime } from '../tables.js';

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

/**
 * Stores a consumer's new health, and locks its row. An unchanged circuit is not written: an operator may have
 * requested a probe meanwhile. The last success is the session's, if it had one.
 */
export async function writeHealth(
  trx: Transaction,
  consumerId: string,
  health: Health,
  { circuit, lastSuccessAt = null }: { readonly circuit: boolean; readonly lastSuccessAt?: Date | null },
): Promise<void> {
  await trx
    .updateTable('consumer_runtime')
    .set({
      failures: health.failures,
      failed_deliveries: [...health.failedDeliveries],
      first_failure_at: health.firstFailureAt,
      ...(lastSuccessAt === null ? {} : { last_success_at: lastSuccessAt }),
      ...(circuit
        ? {
            circuit_opened_at: health.circuit?.openedAt ?? null,
            failed_probes: health.circuit?.failedProbes ?? 0,
            next_probe_at: health.circuit?.nextProbeAt ?? null,
          }
        : {}),
    })
    .where('consumer_id', '=', consumerId)
    .execute();
}
