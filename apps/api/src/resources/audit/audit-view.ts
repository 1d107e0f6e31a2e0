import type { AuditRow } from '#libs/database';
import { csvLine } from '../../http/csv.js';
import { viewOf } from '../../http/view-of.js';
import { AuditEntryDto } from './audit.dto.js';

export const entryView = (row: AuditRow): AuditEntryDto => viewOf(AuditEntryDto, row, {});

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
