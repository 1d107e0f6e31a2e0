import type { Role } from '#libs/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { Selectable } from 'kysely';
import type { Database } from '../connection.js';
import { DATABASE } from '../database-token.js';
import type { ApiKeysTable } from '../tables.js';
import { recordAudit, type AuditEntry } from './audit.js';

export type ApiKeyRow = Selectable<ApiKeysTable>;

/** API keys by their SHA-256; the key itself is known only to its holder. */
@Injectable()
export class ApiKeysRepository {
  constructor(@Inject(DATABASE) private readonly db: Database) {}

  /** A key that is neither revoked nor expired. */
  findLive(keyHash: Buffer): Promise<ApiKeyRow | undefined> {
    return this.db
      .selectFrom('api_keys')
      .selectAll()
      .where('key_hash', '=', keyHash)
      .where('revoked_at', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', eb.fn<Date>('now'))]))
      .executeTakeFirst();
  }

  async insert(
    key: { id: string; name: string; roles: Role[]; keyHash: Buffer; expiresAt: Date | null },
    audit: AuditEntry,
  ): Promise<ApiKeyRow> {
    return this.db.transaction().execute(async (trx) => {
      const row = await trx
        .insertInto('api_keys')
        .values({
          id: key.id,
          name: key.name,
          roles: key.roles,
          key_hash: key.keyHash,
          consumer_id: null,
          expires_at: key.expiresAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await recordAudit(trx, audit);
      return row;
    });
  }

  /** Newest first; one row more than `limit`. */
  list(page: { offset: number; limit: number }): Promise<ApiKeyRow[]> {
    return this.db
      .selectFrom('api_keys')
      .selectAll()
      .orderBy('id', 'desc')
      .offset(page.offset)
      .limit(page.limit + 1)
      .execute();
  }

  /** @returns whether there was such a key, revoked now or before */
  async revoke(id: string, audit: AuditEntry): Promise<boolean> {
    return this.db.transaction().execute(async (trx) => {
      const row = await trx
        .updateTable('api_keys')
        .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.fn<Date>('now')) }))
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      if (row === undefined) return false;
      await recordAudit(trx, audit);
      return true;
    });
  }
}
