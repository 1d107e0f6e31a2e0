import type { AuditRow } from '#libs/database';
import { csvLine } from '../../http/csv.js';
import type { AuditEntryDto } from './audit.dto.js';

export function entryView(row: AuditRow): AuditEntryDto {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: row.actor,
    role: row.role,
    action: row.action,
    target: row.target,
    targetName: row.target_name,
    address: row.address,
    reason: row.reason,
    details: row.details,
    before: row.before,
    after: row.after,
  };
}

const COLUMNS = [
  'id',
  'at',
  'actor',
  'role',
  'action',
  'target',
  'targetName',
  'address',
  'reason',
  'details',
  'before',
  'after',
] as const satisfies readonly (keyof AuditEntryDto)[];

export const CSV_HEADER = csvLine(COLUMNS);

/** An audit entry as a CSV record; objects are written as JSON. */
export const csvOf = (entry: AuditEntryDto): string =>
  csvLine(
    COLUMNS.map((column) => {
      const value = entry[column];
      return typeof value === 'string' || value === null ? value : JSON.stringify(value);
    }),
  );
