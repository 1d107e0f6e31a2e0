import type { BulkActionRow } from '#libs/database';
import type { BulkActionDto } from './bulk-action.dto.js';

/** A bulk action in the API's form. */
export const bulkActionView = (row: BulkActionRow): BulkActionDto => ({
  id: row.id,
  action: row.action,
  filter: row.filter,
  reason: row.reason,
  state: row.state,
  matched: row.matched,
  processed: row.processed,
  changed: row.changed,
  skipped: row.skipped,
  lastFault: row.last_fault,
  createdBy: row.created_by,
  startedFor: row.started_for,
  stoppedBy: row.stopped_by,
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
});
