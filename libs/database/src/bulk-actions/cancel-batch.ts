import type { Transaction } from '../connection/connection.js';
import { cancelDead } from '../deliveries/cancel-delivery.js';
import { endPending } from '../engine/end-pending.js';
import type { LockedBatch } from './batch.js';

/** Cancels a batch, and makes the payments' next statuses due. @returns how many deliveries were cancelled */
export async function cancelBatch(trx: Transaction, { pending, finished }: LockedBatch): Promise<number> {
  const ended = await endPending(trx, pending, { state: 'cancelled', reason: 'cancelled_manually' });
  return ended.length + (await cancelDead(trx, finished));
}
