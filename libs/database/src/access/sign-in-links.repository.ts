import { Injectable } from '@nestjs/common';
import { sql, type Selectable } from 'kysely';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import { Database } from '../connection/connection.js';
import type { SignInLinks } from '../schema/tables.js';

export type SignInLinkRow = Selectable<SignInLinks>;

interface NewSignInLink {
  readonly id: string;
  readonly consumerId: string;
  readonly name: string;
  readonly tokenHash: Buffer;
  readonly createdBy: string;
  /** Null: a day from now, by PostgreSQL's clock. */
  readonly expiresAt: Date | null;
}

/** The key of the session that a link begins. */
interface SessionKey {
  readonly id: string;
  readonly keyHash: Buffer;
  readonly lifetimeSeconds: number;
}

/** One-time links with which a consumer's people sign in, stored as SHA-256. */
@Injectable()
export class SignInLinksRepository {
  constructor(private readonly db: Database) {}

  /**
   * @param audit makes the entry from the link
   * @returns undefined when there is no such consumer, or it is removed
   */
  async insert(
    link: NewSignInLink,
    audit: (link: SignInLinkRow) => AuditEntry,
  ): Promise<SignInLinkRow | undefined> {
    return this.db.transaction().execute(async (trx) => {
      const consumer = await trx
        .selectFrom('consumers')
        .select('id')
        .where('id', '=', link.consumerId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (consumer === undefined) return undefined;
      const row = await trx
        .insertInto('sign_in_links')
        .values({
          id: link.id,
          consumer_id: link.consumerId,
          name: link.name,
          token_hash: link.tokenHash,
          created_by: link.createdBy,
          expires_at: link.expiresAt ?? sql<Date>`now() + interval '24 hours'`,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await recordAudit(trx, audit(row));
      return row;
    });
  }

  /** A consumer's links, newest first; one row more than `limit`. */
  list(consumerId: string, page: { offset: number; limit: number }): Promise<SignInLinkRow[]> {
    return this.db
      .selectFrom('sign_in_links')
      .selectAll()
      .where('consumer_id', '=', consumerId)
      .orderBy('id', 'desc')
      .offset(page.offset)
      .limit(page.limit + 1)
      .execute();
  }

  /**
   * Uses a link, and stores the key of its session. The update is the only decision: of simultaneous uses the later ones
   * wait for its row, and then find it used.
   * @param audit makes the entry from the link
   * @returns whether the link was usable: known, unused, neither expired nor revoked, and its consumer not removed
   */
  use(tokenHash: Buffer, key: SessionKey, audit: (link: SignInLinkRow) => AuditEntry): Promise<boolean> {
    return this.db.transaction().execute(async (trx) => {
      const link = await trx
        .updateTable('sign_in_links')
        .set({ used_at: sql<Date>`clock_timestamp()` })
        .where('token_hash', '=', tokenHash)
        .where('used_at', 'is', null)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', sql<Date>`clock_timestamp()`)
        .where((eb) =>
          eb(
            'consumer_id',
            'in',
            eb.selectFrom('consumers').select('consumers.id').where('deleted_at', 'is', null),
          ),
        )
        .returningAll()
        .executeTakeFirst();
      if (link === undefined) return false;
      await trx
        .insertInto('api_keys')
        .values({
          id: key.id,
          name: link.name,
          roles: ['consumer'],
          key_hash: key.keyHash,
          consumer_id: link.consumer_id,
          expires_at: sql<Date>`now() + ${key.lifetimeSeconds} * interval '1 second'`,
          sign_in_link_id: link.id,
        })
        .execute();
      await recordAudit(trx, audit(link));
      return true;
    });
  }

  /**
   * Revokes a consumer's link and ends its session.
   * @param audit makes the entry from the link
   * @returns whether the consumer has such a link, revoked now or earlier
   */
  revoke(consumerId: string, id: string, audit: (link: SignInLinkRow) => AuditEntry): Promise<boolean> {
    return this.db.transaction().execute(async (trx) => {
      const link = await trx
        .updateTable('sign_in_links')
        .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
        .where('id', '=', id)
        .where('consumer_id', '=', consumerId)
        .returningAll()
        .executeTakeFirst();
      if (link === undefined) return false;
      await trx
        .updateTable('api_keys')
        .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
        .where('sign_in_link_id', '=', link.id)
        .execute();
      await recordAudit(trx, audit(link));
      return true;
    });
  }
}
