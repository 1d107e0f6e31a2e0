import type { ChaosEnvironment } from '#test/chaos/chaos-environment';

/** The table of what is still to be delivered. */
export const PENDING_TABLE = 'pending_deliveries';

/** How many deliveries are not finished. */
export async function countPending(stage: ChaosEnvironment): Promise<number> {
  const [row] = await stage.ask<{ count: number }>(`select count(*)::int as count from ${PENDING_TABLE}`);
  return row?.count ?? -1;
}
