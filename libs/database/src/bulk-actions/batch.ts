import { sql } from 'kysely';
import type { Transaction } from '../connection/connection.js';
import { lockPending } from '../engine/end-pending.js';
import type { Coverage } from './covered.js';

/** Locked deliveries of a batch, each of which the action still covers. */
export interface LockedBatch {
  readonly pending: readonly string[];
  readonly finished: readonly string[];
}

/** Locks a batch and checks its deliveries again: other transactions may have changed them since it was read. */
export async function lockBatch(
  trx: Transaction,
  ids: readonly string[],
  covers: Coverage,
): Promise<LockedBatch> {
  const locked = await lockPending(trx, ids);
  const { rows: pending } = await sql<{ id: string }>`
    select id from ${sql.table(covers.pendingTable)} where id = any (${locked}::uuid[]) and ${covers.pending}`.execute(
    trx,
  );
  const { rows: finished } = await sql<{ id: string }>`
    select id from deliveries where id = any (${ids}::uuid[]) and ${covers.finished}
    order by id for update`.execute(trx);
  return { pending: pending.map(({ id }) => id), finished: finished.map(({ id }) => id) };
}
