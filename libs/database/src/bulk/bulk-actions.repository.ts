import type { BulkActionKind } from '#libs/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Selectable } from 'kysely';
import { recordAudit, type AuditEntry } from '../access/audit.js';
import type { Database } from '../connection.js';
import { DATABASE, READING } from '../database-token.js';
import { codeOf } from '../faults.js';
import { FINISHED, OPEN } from '../reading/deliveries.repository.js';
import type { BulkActionsTable, BulkFilter } from './bulk-actions.table.js';
import { covered } from './covered.js';

export type BulkActionRow = Selectable<BulkActionsTable>;

export interface NewBulkAction {
  readonly id: string;
  readonly action: BulkActionKind;
  readonly filter: BulkFilter;
  readonly reason: string;
  readonly createdBy: string;
}

const COUNT_WITHIN_MS = 5_000;
const QUERY_CANCELED = '57014';

/** What people want done to many deliveries. */
@Injectable()
export class BulkActionsRepository {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(READING) private readonly reading: Database,
  ) {}

  /** How many deliveries an action would cover; null when they cannot be counted within five seconds. */
  async count(action: BulkActionKind, filter: BulkFilter): Promise<number | null> {
    const where = covered(action, filter);
    try {
      return await this.reading.transaction().execute(async (trx) => {
        await sql.raw(`set local statement_timeout = ${String(COUNT_WITHIN_MS)}`).execute(trx);
        const { rows } = await sql<{ count: number }>`
          select ((select count(*) from (${OPEN}) o where ${where})
                  + (select count(*) from (${FINISHED}) f where ${where}))::int as count`.execute(trx);
        return rows[0]?.count ?? 0;
      });
    } catch (error) {
      if (codeOf(error) === QUERY_CANCELED) return null;
      throw error;
    }
  }

  /** Begins an action on what there is now; the workers carry it out. */
  async start(action: NewBulkAction, audit: AuditEntry): Promise<BulkActionRow> {
    const matched = await this.count(action.action, action.filter);
    return this.db.transaction().execute(async (trx) => {
      const row = await trx
        .insertInto('bulk_actions')
        .values({
          id: action.id,
          action: action.action,
          filter: JSON.stringify(action.filter),
          reason: action.reason,
          newest_id: sql<string>`coalesce((select id from (
            (select id from open_deliveries order by id desc limit 1)
            union all (select id from deliveries order by id desc limit 1)) d order by id desc limit 1), ${action.id})`,
          cursor: null,
          matched,
          created_by: action.createdBy,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await recordAudit(trx, { ...audit, details: { ...audit.details, matched } });
      return row;
    });
  }

  /** Newest first; one row more than `limit`. */
  list(page: { offset: number; limit: number }): Promise<BulkActionRow[]> {
    return this.db
      .selectFrom('bulk_actions')
      .selectAll()
      .orderBy('id', 'desc')
      .offset(page.offset)
      .limit(page.limit + 1)
      .execute();
  }

  find(id: string): Promise<BulkActionRow | undefined> {
    return this.db.selectFrom('bulk_actions').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** Ends an action after the step under way. @returns it as it is then; undefined when there is none */
  async stop(id: string, audit: AuditEntry): Promise<BulkActionRow | undefined> {
    return this.db.transaction().execute(async (trx) => {
      const stopped = await trx
        .updateTable('bulk_actions')
        .set({ state: 'stopped', finished_at: sql<Date>`now()` })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .returningAll()
        .executeTakeFirst();
      if (stopped !== undefined) {
        const { processed, changed, skipped } = stopped;
        await recordAudit(trx, { ...audit, details: { ...audit.details, processed, changed, skipped } });
        return stopped;
      }
      return trx.selectFrom('bulk_actions').selectAll().where('id', '=', id).executeTakeFirst();
    });
  }
}
