import type { BulkActionKind, DeliveryFilter } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { sql, type Selectable } from 'kysely';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import {
  ConsumersReadingDatabase,
  Database,
  ReadingDatabase,
  type Transaction,
} from '../connection/connection.js';
import { codeOf } from '../connection/faults.js';
import type { BulkActions } from '../schema/tables.js';
import { covered } from './covered.js';

export type BulkActionRow = Selectable<BulkActions>;

interface NewBulkAction {
  readonly id: string;
  readonly action: BulkActionKind;
  readonly filter: DeliveryFilter;
  readonly reason: string;
  readonly createdBy: string;
}

/** Only actions that this consumer's people started in the portal; absent: all. */
interface StartedFor {
  readonly startedFor?: string;
}

/**
 * Started, or not: it covers more than the caller expected, or (`matched` null) counting took too long; or an action of
 * the same consumer's people runs.
 */
export type StartedBulkAction =
  | { readonly kind: 'started'; readonly row: BulkActionRow }
  | { readonly kind: 'more-match'; readonly matched: number | null; readonly expectedCount: number }
  | { readonly kind: 'one-is-running' };

const COUNT_WITHIN_MS = 5_000;
/** SQLSTATEs of a statement that ran, or waited for a lock, for too long: query_canceled, lock_not_available. */
const TOO_LONG = ['57014', '55P03'];

/** Bulk actions: one operator command on many deliveries. */
@Injectable()
export class BulkActionsRepository {
  constructor(
    private readonly db: Database,
    private readonly reading: ReadingDatabase,
    private readonly consumersReading: ConsumersReadingDatabase,
  ) {}

  /** How many deliveries an action would cover; null when they cannot be counted within five seconds. */
  count(action: BulkActionKind, filter: DeliveryFilter, given: StartedFor = {}): Promise<number | null> {
    return this.lists(given)
      .transaction()
      .execute((trx) => countWithin(trx, action, filter));
  }

  /**
   * Starts an action on the deliveries that exist now; the workers carry it out. With `expectedCount`, it is not
   * started if it covers more deliveries, or if they cannot be counted in time; it is started if it covers fewer. The
   * count and the bounds of the action (`newest_id`, `created_at`) come from one snapshot. For a consumer's people it is
   * not started while another one of theirs runs.
   */
  start(
    action: NewBulkAction,
    audit: AuditEntry,
    { expectedCount, startedFor }: StartedFor & { readonly expectedCount?: number | undefined } = {},
  ): Promise<StartedBulkAction> {
    // Uses connections of the lists, so that accept never waits for a slow count.
    const transaction = this.lists({ startedFor }).transaction().setIsolationLevel('repeatable read');
    const started = transaction.execute(async (trx): Promise<StartedBulkAction> => {
      const snapshotAt = await takeSnapshot(trx);
      const matched = await countWithin(trx, action.action, action.filter);
      if (expectedCount !== undefined && (matched === null || matched > expectedCount))
        return { kind: 'more-match', matched, expectedCount };
      const row = await trx
        .insertInto('bulk_actions')
        .values({
          id: action.id,
          action: action.action,
          filter: JSON.stringify(action.filter),
          reason: action.reason,
          newest_id: sql<string>`coalesce((select id from (
            (select id from pending_deliveries order by id desc limit 1)
            union all (select id from deliveries order by id desc limit 1)) d order by id desc limit 1), ${action.id})`,
          cursor: null,
          matched,
          created_by: action.createdBy,
          created_at: snapshotAt,
          started_for: startedFor ?? null,
        })
        // The unique index of running actions for a consumer; an exception would be an error in PostgreSQL's log.
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return { kind: 'one-is-running' };
      await recordAudit(trx, { ...audit, details: { ...audit.details, matched } });
      return { kind: 'started', row };
    });
    return started.catch((error: unknown): StartedBulkAction => {
      // Another one was started since the snapshot.
      if (startedFor !== undefined && codeOf(error) === '40001') return { kind: 'one-is-running' };
      throw error;
    });
  }

  /** Newest first; one row more than `limit`. */
  list(page: { offset: number; limit: number }, { startedFor }: StartedFor = {}): Promise<BulkActionRow[]> {
    return this.db
      .selectFrom('bulk_actions')
      .selectAll()
      .$if(startedFor !== undefined, (query) => query.where('started_for', '=', startedFor ?? null))
      .orderBy('id', 'desc')
      .offset(page.offset)
      .limit(page.limit + 1)
      .execute();
  }

  find(id: string, { startedFor }: StartedFor = {}): Promise<BulkActionRow | undefined> {
    return this.db
      .selectFrom('bulk_actions')
      .selectAll()
      .where('id', '=', id)
      .$if(startedFor !== undefined, (query) => query.where('started_for', '=', startedFor ?? null))
      .executeTakeFirst();
  }

  /** Stops an action after the step under way. @returns its row afterwards; undefined when there is no such action */
  async stop(
    id: string,
    audit: AuditEntry,
    { startedFor }: StartedFor = {},
  ): Promise<BulkActionRow | undefined> {
    return this.db.transaction().execute(async (trx) => {
      const stopped = await trx
        .updateTable('bulk_actions')
        .set({ state: 'stopped', finished_at: sql<Date>`now()`, stopped_by: audit.actor })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .$if(startedFor !== undefined, (query) => query.where('started_for', '=', startedFor ?? null))
        .returningAll()
        .executeTakeFirst();
      if (stopped !== undefined) {
        const { processed, changed, skipped } = stopped;
        await recordAudit(trx, { ...audit, details: { ...audit.details, processed, changed, skipped } });
        return stopped;
      }
      return trx
        .selectFrom('bulk_actions')
        .selectAll()
        .where('id', '=', id)
        .$if(startedFor !== undefined, (query) => query.where('started_for', '=', startedFor ?? null))
        .executeTakeFirst();
    });
  }

  /** The pool of lists; that of consumers' lists for consumers' people, whose counts do not delay operators. */
  private lists({ startedFor }: { readonly startedFor?: string | undefined }) {
    return startedFor === undefined ? this.reading : this.consumersReading;
  }
}

/** Takes a `repeatable read` transaction's snapshot, by its first statement. @returns its time, with microseconds */
async function takeSnapshot(trx: Transaction): Promise<string> {
  const { rows } = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('the clock always answers one row');
  return row.at;
}

/** Counts the deliveries that an action covers; null when that takes too long, and the transaction continues. */
async function countWithin(
  trx: Transaction,
  action: BulkActionKind,
  filter: DeliveryFilter,
): Promise<number | null> {
  const { pendingTable, pending, finished } = covered(action, filter);
  await sql.raw(`set local statement_timeout = ${String(COUNT_WITHIN_MS)}`).execute(trx);
  await sql`savepoint before_count`.execute(trx);
  try {
    const { rows } = await sql<{ count: number }>`
      select ((select count(*) from ${sql.table(pendingTable)} where ${pending})
              + (select count(*) from deliveries where ${finished}))::int as count`.execute(trx);
    return rows[0]?.count ?? 0;
  } catch (error) {
    if (!TOO_LONG.includes(codeOf(error) ?? '')) throw error;
    await sql`rollback to savepoint before_count`.execute(trx);
    return null;
  }
}
