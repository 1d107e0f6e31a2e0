import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { Database, ReadingDatabase } from '../connection/connection.js';
import { chunksOf, type Listed } from '../lists/chunks.js';
import { visibleWatermark } from '../lists/visible-watermark.js';
import type { AuditLog } from '../schema/tables.js';

export interface AuditRow extends Selectable<AuditLog> {
  /** Name of the target if it is a consumer or an API key, removed or not; null for other targets. */
  readonly target_name: string | null;
}

export interface AuditFilter {
  /** Any part of the actor's name, case-insensitive. */
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly from?: Date;
  readonly to?: Date;
}

/** Reads the audit log. `recordAudit` writes the entries, in the transactions of the changes. */
@Injectable()
export class AuditRepository {
  /** `db` serves look-ups by primary key, so that they do not wait for lists. */
  constructor(
    private readonly reading: ReadingDatabase,
    private readonly db: Database,
  ) {}

  /** Newest first; one row more than `limit`. Each filter has an index in this order. */
  async list(filter: AuditFilter, page: { offset: number; limit: number }): Promise<Listed[]> {
    const { rows } = await sql<Listed>`
      with page as materialized (
        select id as wanted from audit_log where ${condition(filter)}
        order by at desc, id desc offset ${page.offset} limit ${page.limit + 1}
      )
      -- The entry of a consumer's change contains all its companies, before and after.
      select id::text as id, octet_length(concat(details, before, after)) as bytes
      from page join audit_log on id = wanted order by at desc, wanted desc`.execute(this.reading);
    return rows;
  }

  /**
   * The entries after `id`, oldest first; one row more than `limit`. An entry is returned once no open transaction
   * can still write an earlier one, so a reader that continues after the last id misses none. Ids are assigned in
   * order, but commits come in any. An entry gets its id after its transaction has one, and then its `written_at`. So
   * what was written before the oldest open transaction began has a smaller id than all entries still to come.
   */
  async after(id: string, filter: AuditFilter, limit: number): Promise<Listed[]> {
    const watermark = await visibleWatermark(this.reading);
    const { rows } = await sql<Listed>`
      select id::text as id, octet_length(concat(details, before, after)) as bytes from audit_log
      where id > ${id}::bigint
        and id <= (select id from audit_log where written_at < ${watermark}::timestamptz order by id desc limit 1)
        and ${condition(filter)}
      -- The bigint of the table, not the text of the same name in the result.
      order by audit_log.id limit ${limit + 1}`.execute(this.reading);
    return rows;
  }

  /** Yields the entries of a page in its order, in chunks that are read on demand. */
  async *entries(page: readonly Listed[]): AsyncGenerator<AuditRow[]> {
    for (const ids of chunksOf(page)) {
      const rows = await this.db.selectFrom('audit_log').selectAll().where('id', 'in', ids).execute();
      const names = await this.namesOf(rows.map(({ target }) => target));
      const found = new Map(rows.map((row) => [row.id, row]));
      yield ids.flatMap((id) => {
        const row = found.get(id);
        return row === undefined ? [] : [{ ...row, target_name: names.get(row.target) ?? null }];
      });
    }
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

function condition(filter: AuditFilter): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`true`];
  if (filter.actor !== undefined) parts.push(sql`actor = any (array(${actorsCalled(filter.actor)}))`);
  if (filter.action !== undefined) parts.push(sql`action = ${filter.action}`);
  if (filter.target !== undefined) parts.push(sql`target = ${filter.target}`);
  if (filter.from !== undefined) parts.push(sql`at >= ${filter.from}`);
  if (filter.to !== undefined) parts.push(sql`at < ${filter.to}`);
  return sql.join(parts, sql` and `);
}

/** All actors with `part` in their names. Jumps from name to name in the index, without reading every entry. */
const actorsCalled = (part: string): RawBuilder<unknown> => sql`
  with recursive names as (
    (select actor from audit_log order by actor limit 1)
    union all
    select (select a.actor from audit_log a where a.actor > n.actor order by a.actor limit 1)
    from names n where n.actor is not null
  )
  select actor from names where position(lower(${part}) in lower(actor)) > 0`;

const TARGET = /^([a-z-]+):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const idsIn = (targets: readonly string[], kind: 'consumer' | 'api-key'): string[] =>
  targets.flatMap((target) => {
    const [, found, id] = TARGET.exec(target) ?? [];
    return found === kind && id !== undefined ? [id] : [];
  });
