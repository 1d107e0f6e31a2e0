import { Inject, Injectable } from '@nestjs/common';
import type { Selectable } from 'kysely';
import type { Database } from '../connection.js';
import { READING } from '../database-token.js';
import type { AuditLogTable } from '../tables.js';

export type AuditRow = Selectable<AuditLogTable>;

export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly from?: Date;
  readonly to?: Date;
}

/** The audit log, read back. Entries are written by `recordAudit`, with what they tell of. */
@Injectable()
export class AuditRepository {
  constructor(@Inject(READING) private readonly db: Database) {}

  /** Newest first; one row more than `limit`. Each filter has an index in this very order. */
  list(filter: AuditFilter, page: { offset: number; limit: number }): Promise<AuditRow[]> {
    let query = this.db.selectFrom('audit_log').selectAll();
    if (filter.actor !== undefined) query = query.where('actor', '=', filter.actor);
    if (filter.action !== undefined) query = query.where('action', '=', filter.action);
    if (filter.target !== undefined) query = query.where('target', '=', filter.target);
    if (filter.from !== undefined) query = query.where('at', '>=', filter.from);
    if (filter.to !== undefined) query = query.where('at', '<', filter.to);
    return query
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .offset(page.offset)
      .limit(page.limit + 1)
      .execute();
  }
}
