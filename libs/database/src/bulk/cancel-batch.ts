import type { Transaction } from '../connection.js';
import { cancelDead } from '../operations/cancel-delivery.js';
import { endPending } from '../operations/end-pending.js';
import type { LockedBatch } from './batch.js';

/** Cancels a batch, and lets go what waited for any of it. @returns how many were cancelled */
export async function cancelBatch(trx: Transaction, { pending, finished }: LockedBatch): Promise<number> {
  const ended = await endPending(trx, pending, { state: 'cancelled', reason: 'cancelled_manually' });
  return ended.length + (await cancelDead(trx, finished));
}
