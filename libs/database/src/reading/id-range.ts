import { sql, type RawBuilder } from 'kysely';
import { firstIdAt } from '../partitions.js';

/** How far a row's own time and its id's may lie apart: clocks that differ, and waiting for locks in between. */
const SLACK_MS = 15 * 60_000;

/**
 * The ids among which everything of a time is, as conditions on a partitioned table's `id`: PostgreSQL then reads the
 * partitions of that time only. The exact condition on the row's own time is the caller's.
 */
export function idsAround(from: Date | undefined, to: Date | undefined): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (from !== undefined) conditions.push(sql`id >= ${firstIdAt(from.getTime() - SLACK_MS)}::uuid`);
  if (to !== undefined) conditions.push(sql`id < ${firstIdAt(to.getTime() + SLACK_MS)}::uuid`);
  return conditions;
}
