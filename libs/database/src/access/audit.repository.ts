import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { Database, ReadingDatabase } from '../connection.js';
import { chunksOf, type Listed } from '../reading/chunks.js';
import { visibleWatermark } from '../reading/visible-watermark.js';
import type { AuditLog } from '../tables.js';

export interface AuditRow extends Selectable<AuditLog> {
  /** Of a consumer or an API key, removed or not. */
  readonly target_name: string | null;
}

export interface AuditFilter {
  /** A part of the actor's name, in capitals or not. */
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly from?: Date;
  readonly to?: Date;
}

/** The audit log, read back. Entries are written by `recordAudit`, with what they tell of. */
@Injectable()
export class AuditRepository {
  /** What is looked up by its key does not wait for lists. */
  constructor(
    private readonly reading: ReadingDatabase,
    private readonly db: Database,
  ) {}

  /** Newest first; one row more than `limit`. Each filter has an index in this very order. */
  async list(filter: AuditFilter, page: { offset: number; limit: number }): Promise<Listed[]> {
    const { rows } = await sql<Listed>`
      with page as materialized (
        select id as wanted from audit_log where ${condition(filter)}
        order by at desc, id desc offset ${page.offset} limit ${page.limit + 1}
      )
      -- A change of a consumer keeps all of its companies, before and after.
      select id::text as id, octet_length(concat(details, before, after)) as bytes
      from page join audit_log on id = wanted order by at desc, wanted desc`.execute(this.reading);
    return rows;
  }

  /**
   * The entries after one, oldest first, one row more than `limit`. An entry shows once no transaction under way can write
   * one before it, so a reader that asks again after the last id misses none. Numbers are given in order, but transactions
   * commit in any: an entry gets its number after its transaction has an id, and its `written_at` after its number. What
   * was written before the oldest transaction under way began therefore has a smaller number than all later entries.
   */
  async after(id: string, filter: AuditFilter, limit: number): Promise<Listed[]> {
    const watermark = await visibleWatermark(this.reading);
    const { rows } = await sql<Listed>`
      select id::text as id, octet_length(concat(details, before, after)) as bytes from audit_log
      where id > ${id}::bigint
        and id <= (select id from audit_log where written_at < ${watermark}::timestamptz order by id desc limit 1)
        and ${condition(filter)}
      -- Not the text of the same name.
      order by audit_log.id limit ${limit + 1}`.execute(this.reading);
    return rows;
  }

  /** The entries of a page in its order, a chunk whenever one is asked for. */
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

/** Every actor with this in the name: the index is asked for one name after another, however many entries each has. */
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
