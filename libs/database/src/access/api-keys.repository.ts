import type { Role } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { sql, type Selectable } from 'kysely';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import { Database, type Transaction } from '../connection/connection.js';
import type { ApiKeys } from '../schema/tables.js';

export type ApiKeyRow = Selectable<ApiKeys>;

interface NewApiKey {
  readonly id: string;
  readonly name: string;
  readonly roles: Role[];
  readonly keyHash: Buffer;
  readonly consumerId: string | null;
  readonly expiresAt: Date | null;
}

/** A valid key, with the name of its consumer. */
export type LiveApiKey = ApiKeyRow & { readonly consumer_name: string | null };

/** API keys, stored as SHA-256. Only its holder knows the key itself. */
@Injectable()
export class ApiKeysRepository {
  constructor(private readonly db: Database) {}

  /** Finds those keys that are neither revoked nor expired, and are not bound to a removed consumer. */
  findLive(keyHashes: readonly Buffer[]): Promise<LiveApiKey[]> {
    return this.db
      .selectFrom('api_keys')
      .leftJoin('consumers', 'consumers.id', 'api_keys.consumer_id')
      .selectAll('api_keys')
      .select('consumers.name as consumer_name')
      .where('key_hash', 'in', keyHashes)
      .where('revoked_at', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', eb.fn<Date>('now'))]))
      .where((eb) =>
        eb.or([
          eb('consumer_id', 'is', null),
          eb.and([eb('consumers.id', 'is not', null), eb('consumers.deleted_at', 'is', null)]),
        ]),
      )
      .execute();
  }

  /** Records the use of keys, at most once a minute for each key in all processes together. */
  async noteUse(ids: readonly string[]): Promise<void> {
    await this.db
      .updateTable('api_keys')
      .set((eb) => ({ last_used_at: eb.fn<Date>('now') }))
      .where('id', 'in', ids)
      .where(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`)
      .execute();
  }

  /** Stores a key with its audit entry. `consumerId` binds the key to a consumer. */
  insert(key: NewApiKey, audit: AuditEntry): Promise<ApiKeyRow> {
    return this.db.transaction().execute((trx) => insertKey(trx, key, audit));
  }

  /**
   * Stores a key of a consumer, unless it has `most` valid keys already; sessions of sign-in links are not counted. The
   * consumer is locked, so that simultaneous requests do not exceed the number.
   * @returns undefined when it has as many, or there is no such consumer
   */
  insertWithin(
    most: number,
    key: NewApiKey & { readonly consumerId: string },
    audit: AuditEntry,
  ): Promise<ApiKeyRow | undefined> {
    return this.db.transaction().execute(async (trx) => {
      const consumer = await trx
        .selectFrom('consumers')
        .select('id')
        .where('id', '=', key.consumerId)
        .where('deleted_at', 'is', null)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (consumer === undefined) return undefined;
      const { valid } = await trx
        .selectFrom('api_keys')
        .select((eb) => eb.fn.countAll<string>().as('valid'))
        .where('consumer_id', '=', key.consumerId)
        .where('sign_in_link_id', 'is', null)
        .where('revoked_at', 'is', null)
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', eb.fn<Date>('now'))]))
        .executeTakeFirstOrThrow();
      return Number(valid) < most ? insertKey(trx, key, audit) : undefined;
    });
  }

  /**
   * Newest first; one row more than `limit`. `name` matches any part of a name, case-insensitively.
   * @param filter.sessions with the sessions of sign-in links
   */
  list(
    filter: { name?: string; consumerId?: string; sessions?: boolean },
    page: { offset: number; limit: number },
  ): Promise<ApiKeyRow[]> {
    let query = this.db.selectFrom('api_keys').selectAll();
    if (filter.sessions !== true) query = query.where('sign_in_link_id', 'is', null);
    if (filter.consumerId !== undefined) query = query.where('consumer_id', '=', filter.consumerId);
    if (filter.name !== undefined) {
      query = query.where(sql<boolean>`position(lower(${filter.name}) in lower(name)) > 0`);
    }
    return query
      .orderBy('id', 'desc')
      .offset(page.offset)
      .limit(page.limit + 1)
      .execute();
  }

  /**
   * Keys that are valid, were used in the last 30 days and expire within `withinMs`, the earliest first; without sessions of
   * sign-in links, which are short.
   * @param of a consumer's id; null: the bank's own keys
   */
  async expiring(
    withinMs: number,
    of: string | null,
  ): Promise<{ id: string; name: string; expiresAt: Date }[]> {
    const { rows } = await sql<{ id: string; name: string; expiresAt: Date }>`
      select id, name, expires_at as "expiresAt" from api_keys
      where revoked_at is null and expires_at > now()
        and expires_at < now() + make_interval(secs => ${withinMs / 1_000}::float8)
        and last_used_at > now() - interval '30 days'
        and sign_in_link_id is null and consumer_id is not distinct from ${of}::uuid
      order by expires_at, id`.execute(this.db);
    return rows;
  }

  /**
   * Revokes a key, with `consumerId` only one that is bound to this consumer. `audit` makes the entry from the key.
   * @returns whether there is such a key, revoked now or earlier
   */
  async revoke(
    key: { readonly id: string; readonly consumerId?: string },
    audit: (row: ApiKeyRow) => AuditEntry,
  ): Promise<boolean> {
    return this.db.transaction().execute(async (trx) => {
      let update = trx
        .updateTable('api_keys')
        .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.fn<Date>('now')) }))
        .where('id', '=', key.id);
      if (key.consumerId !== undefined) update = update.where('consumer_id', '=', key.consumerId);
      const row = await update.returningAll().executeTakeFirst();
      if (row === undefined) return false;
      await recordAudit(trx, audit(row));
      return true;
    });
  }
}

async function insertKey(trx: Transaction, key: NewApiKey, audit: AuditEntry): Promise<ApiKeyRow> {
  const row = await trx
    .insertInto('api_keys')
    .values({
      id: key.id,
      name: key.name,
      roles: key.roles,
      key_hash: key.keyHash,
      consumer_id: key.consumerId,
      expires_at: key.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordAudit(trx, audit);
  return row;
}
