import type { IssueEvent, IssueKind, IssueStateFilter } from '#libs/contracts';
import { changesOf, type FoundIssue, type HealthNow } from '#libs/policy';
import { Injectable } from '@nestjs/common';
import { sql, type ExpressionBuilder, type Selectable } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import { announce } from '../channels/channel-messages.repository.js';
import { Database } from '../connection/connection.js';
import { ISSUE_ORDER } from '../schema/issues.js';
import type { DB, HealthIssues } from '../schema/tables.js';

export type IssueRow = Selectable<HealthIssues> & {
  /** Null: an issue of the whole installation. */
  readonly consumer_name: string | null;
  readonly contact: string | null;
};

interface IssueFilter {
  readonly state?: IssueStateFilter;
  readonly kind?: IssueKind;
  readonly consumerId?: string;
  /** Opened at or after this instant. */
  readonly from?: Date;
  /** Opened before this instant. */
  readonly to?: Date;
}

/** The result of an evaluation. */
interface Evaluated {
  readonly opened: readonly (FoundIssue & { readonly id: string })[];
  /** Ids of the issues that have ended. */
  readonly ended: readonly string[];
}

/** Health issues: conditions that need a person. */
@Injectable()
export class IssuesRepository {
  constructor(private readonly db: Database) {}

  /** PostgreSQL's time. Any worker may make the next evaluation, so none judges by its own clock. */
  async now(): Promise<Date> {
    const { rows } = await sql<{ now: Date }>`select now()`.execute(this.db);
    const [row] = rows;
    if (row === undefined) throw new Error('PostgreSQL has not given its time');
    return row.now;
  }

  /**
   * Opens issues for what was found, and ends those whose condition has ended; `changesOf` of libs/policy has the rule. An
   * evaluation that is repeated, or runs in two processes, opens nothing twice.
   * @param healths the health of every consumer that is not removed
   */
  evaluate(
    found: readonly FoundIssue[],
    healths: ReadonlyMap<string, HealthNow>,
    now: Date,
  ): Promise<Evaluated> {
    return this.db.transaction().execute(async (trx) => {
      const rows = await trx
        .selectFrom('health_issues')
        .select(['id', 'consumer_id', 'kind', 'subject', 'last_seen_at', 'resolved_at'])
        .where('ended_at', 'is', null)
        .execute();
      const ongoing = rows.map(({ id, consumer_id, kind, subject, last_seen_at, resolved_at }) => ({
        id,
        consumerId: consumer_id,
        kind,
        subject,
        lastSeenAt: last_seen_at,
        isResolved: resolved_at !== null,
      }));
      const changes = changesOf(ongoing, found, healths, now);
      // First what has ended: it makes place for another issue of the same kind.
      if (changes.ended.length > 0) {
        await trx
          .updateTable('health_issues')
          .set({ ended_at: sql<Date>`now()`, resolved_at: sql<Date>`coalesce(resolved_at, now())` })
          .where('id', 'in', changes.ended)
          .where('ended_at', 'is', null)
          .execute();
      }
      const opened: (FoundIssue & { id: string })[] = [];
      for (const issue of changes.opened) {
        const id = uuidv7();
        const { consumerId, kind, subject, summary, advice } = issue;
        const inserted = await trx
          .insertInto('health_issues')
          .values({ id, consumer_id: consumerId, kind, subject, summary, advice })
          // Another process has opened it since the rows were read.
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst();
        if (inserted !== undefined) opened.push({ id, ...issue });
      }
      if (changes.seen.length > 0) {
        await trx
          .updateTable('health_issues')
          .set({ last_seen_at: sql<Date>`now()` })
          .where('id', 'in', changes.seen)
          .execute();
      }
      await announce(
        trx,
        opened.map(({ id }) => id),
        'opened',
      );
      await announce(trx, changes.ended, 'resolved');
      return { opened, ended: changes.ended };
    });
  }

  /** Unresolved ones first, by severity and age; then the newest. One row more than `limit`. */
  list(filter: IssueFilter, page: { offset: number; limit: number }): Promise<IssueRow[]> {
    const { state, kind, consumerId, from, to } = filter;
    let query = this.read();
    if (state !== undefined) query = query.where((eb) => isIn(eb, state));
    if (kind !== undefined) query = query.where('i.kind', '=', kind);
    if (consumerId !== undefined) query = query.where('i.consumer_id', '=', consumerId);
    if (from !== undefined) query = query.where('i.opened_at', '>=', from);
    if (to !== undefined) query = query.where('i.opened_at', '<', to);
    return query
      .orderBy(sql.raw(ISSUE_ORDER))
      .offset(page.offset)
      .limit(page.limit + 1)
      .execute();
  }

  find(id: string): Promise<IssueRow | undefined> {
    return this.read().where('i.id', '=', id).executeTakeFirst();
  }

  /** Number of unresolved issues of each kind that has any. */
  async unresolved(): Promise<Map<IssueKind, number>> {
    const rows = await this.db
      .selectFrom('health_issues')
      .select((eb) => ['kind', sql<number>`${eb.fn.countAll()}::int`.as('count')])
      .where('resolved_at', 'is', null)
      .groupBy('kind')
      .execute();
    return new Map(rows.map(({ kind, count }) => [kind, count]));
  }

  /** Notes who takes care of an issue; a second acknowledgement replaces the first. @returns whether it is unresolved */
  async acknowledge(id: string, note: string | null, audit: AuditEntry): Promise<boolean> {
    return this.change(id, 'acknowledged', audit, {
      acknowledged_at: sql<Date>`now()`,
      acknowledged_by: audit.actor,
      note,
    });
  }

  /** Resolves an issue; while its condition lasts it is not opened again. @returns whether it was unresolved */
  async resolve(id: string, resolution: string, audit: AuditEntry): Promise<boolean> {
    return this.change(id, 'resolved', audit, {
      resolved_at: sql<Date>`now()`,
      resolved_by: audit.actor,
      resolution,
    });
  }

  /** Removes issues that were resolved and ended more than `days` ago. @returns how many, at most `limit` */
  async trim(days: number, limit: number): Promise<number> {
    const { rows } = await sql`
      delete from health_issues where id = any (array(
        select id from health_issues
        where ended_at < now() - make_interval(days => ${days}::int) limit ${limit}::int
      )) returning 1`.execute(this.db);
    return rows.length;
  }

  private change(id: string, event: IssueEvent, audit: AuditEntry, values: object): Promise<boolean> {
    return this.db.transaction().execute(async (trx) => {
      const changed = await trx
        .updateTable('health_issues')
        .set(values)
        .where('id', '=', id)
        .where('resolved_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (changed === undefined) return false;
      await recordAudit(trx, audit);
      await announce(trx, [id], event);
      return true;
    });
  }

  private read() {
    return this.db
      .selectFrom('health_issues as i')
      .leftJoin('consumers as c', 'c.id', 'i.consumer_id')
      .selectAll('i')
      .select(['c.name as consumer_name', 'c.contact']);
  }
}

/** The condition for an issue's state. */
function isIn(eb: ExpressionBuilder<DB & { i: HealthIssues }, 'i'>, state: IssueStateFilter) {
  switch (state) {
    case 'open':
      return eb.and([eb('i.resolved_at', 'is', null), eb('i.acknowledged_at', 'is', null)]);
    case 'acknowledged':
      return eb.and([eb('i.resolved_at', 'is', null), eb('i.acknowledged_at', 'is not', null)]);
    case 'unresolved':
      return eb('i.resolved_at', 'is', null);
    case 'resolved':
      return eb('i.resolved_at', 'is not', null);
  }
}
