import { sql, type RawBuilder } from 'kysely';
import { firstIdAt } from './partitions.js';

/**
 * Maximum difference between a row's own time and the time in its id: clocks differ, and the transaction may wait for
 * locks.
 */
const SLACK_MS = 15 * 60_000;

/**
 * Conditions on a partitioned table's `id` that include all rows of a period, so that PostgreSQL reads only its
 * partitions. The caller adds the exact condition on the row's own time.
 */
export function idsAround(from: Date | undefined, to: Date | undefined): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (from !== undefined) conditions.push(sql`id >= ${firstIdAt(from.getTime() - SLACK_MS)}::uuid`);
  if (to !== undefined) conditions.push(sql`id < ${firstIdAt(to.getTime() + SLACK_MS)}::uuid`);
  return conditions;
}
