import type { Stage } from '#test/chaos/stage';

/** The table of what is still to be delivered. */
export const PENDING_TABLE = 'pending_deliveries';

/** How many deliveries are not finished. */
export async function countPending(stage: Stage): Promise<number> {
  const [row] = await stage.ask<{ count: number }>(`select count(*)::int as count from ${PENDING_TABLE}`);
  return row?.count ?? -1;
}
