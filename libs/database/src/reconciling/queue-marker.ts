import type { Database } from '../connection.js';

/** What the queue was last marked with; a queue that says otherwise was emptied or replaced. */
export async function rememberedMarker(db: Database): Promise<string | null> {
  const { queue_marker } = await db
    .selectFrom('dispatcher_state')
    .select('queue_marker')
    .executeTakeFirstOrThrow();
  return queue_marker;
}

export async function rememberMarker(db: Database, marker: string): Promise<void> {
  await db.updateTable('dispatcher_state').set({ queue_marker: marker }).execute();
}
