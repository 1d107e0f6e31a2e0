import { Inject, Injectable } from '@nestjs/common';
import { sql, type Selectable } from 'kysely';
import type { Database } from '../connection.js';
import { READING } from '../database-token.js';
import type { AuditLogTable } from '../tables.js';

export interface AuditRow extends Selectable<AuditLogTable> {
  /** Of a consumer or an API key, removed or not. */
  readonly target_name: string | null;
}

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
  async list(filter: AuditFilter, page: { offset: number; limit: number }): Promise<AuditRow[]> {
    let query = this.db.selectFrom('audit_log').selectAll();
    if (filter.actor !== undefined) query = query.where('actor', '=', filter.actor);
    if (filter.action !== undefined) query = query.where('action', '=', filter.action);
    if (filter.target !== undefined) query = query.where('target', '=', filter.target);
    if (filter.from !== undefined) query = query.where('at', '>=', filter.from);
    if (filter.to !== undefined) query = query.where('at', '<', filter.to);
    const rows = await query
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .offset(page.offset)
      .limit(page.limit + 1)
      .execute();
    const names = await this.namesOf(rows.map(({ target }) => target));
    return rows.map((row) => ({ ...row, target_name: names.get(row.target) ?? null }));
  }

  private async namesOf(targets: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await sql<{ target: string; name: string }>`
      select 'consumer:' || id as target, name from consumers where id = any (${idsIn(targets, 'consumer')}::uuid[])
      union all
      select 'api-key:' || id, name from api_keys where id = any (${idsIn(targets, 'api-key')}::uuid[])`.execute(
      this.db,
    );
    return new Map(rows.map(({ target, name }) => [target, name]));
  }
}

const TARGET = /^([a-z-]+):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const idsIn = (targets: readonly string[], kind: 'consumer' | 'api-key'): string[] =>
  targets.flatMap((target) => {
    const [, found, id] = TARGET.exec(target) ?? [];
    return found === kind && id !== undefined ? [id] : [];
  });
