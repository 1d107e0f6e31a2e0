import { Injectable } from '@nestjs/common';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import { Database, type Queryable } from '../connection/connection.js';
import type { Channels } from '../schema/tables.js';

/** A channel with the state of its messages. */
export type ChannelRow = Selectable<Channels> & {
  readonly pending: number;
  /** Given up in the last 7 days. */
  readonly failed: number;
  readonly last_sent_at: Date | null;
  /** Why the newest message that was tried could not be sent; null if it was. */
  readonly last_error: string | null;
};

/** The bank's channels, without the removed ones; `ConsumerAlertsRepository` has those of consumers' people. */
@Injectable()
export class ChannelsRepository {
  constructor(private readonly db: Database) {}

  /** By name; one row more than `limit`. */
  list(page: { offset: number; limit: number }): Promise<ChannelRow[]> {
    return this.read()
      .orderBy('c.name')
      .orderBy('c.id')
      .offset(page.offset)
      .limit(page.limit + 1)
      .execute();
  }

  find(id: string): Promise<ChannelRow | undefined> {
    return this.read().where('c.id', '=', id).executeTakeFirst();
  }

  async insert(channel: Insertable<Channels>, audit: AuditEntry): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      await trx.insertInto('channels').values(channel).execute();
      await recordAudit(trx, audit);
    });
  }

  /** @returns whether there is such a channel */
  async update(id: string, change: Updateable<Channels>, audit: AuditEntry): Promise<boolean> {
    return this.db.transaction().execute(async (trx) => {
      const changed = await trx
        .updateTable('channels')
        .set({ ...change, updated_at: sql<Date>`now()` })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (changed === undefined) return false;
      await recordAudit(trx, audit);
      return true;
    });
  }

  /** Removes a channel with its secrets. @returns whether there is such a channel */
  remove(id: string, audit: AuditEntry): Promise<boolean> {
    return this.update(id, { deleted_at: new Date(), sealed: '', recipients: [] }, audit);
  }

  private read() {
    return this.db
      .selectFrom('channels as c')
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('channel_messages as m')
            .select([
              sql<number>`(count(*) filter (where m.state = 'pending'))::int`.as('pending'),
              sql<number>`(count(*) filter (where m.state = 'failed' and m.created_at > now() - interval '7 days'))::int`.as(
                'failed',
              ),
              sql<Date | null>`max(m.sent_at)`.as('last_sent_at'),
              // Null when the newest message that was tried is sent.
              sql<string | null>`(array_agg(m.last_error order by m.created_at desc, m.id desc)
                filter (where m.attempts > 0))[1]`.as('last_error'),
            ])
            .whereRef('m.channel_id', '=', 'c.id')
            .as('messages'),
        (join) => join.onTrue(),
      )
      .selectAll('c')
      .select((eb) => [
        eb.fn.coalesce('messages.pending', sql<number>`0`).as('pending'),
        eb.fn.coalesce('messages.failed', sql<number>`0`).as('failed'),
        'messages.last_sent_at',
        'messages.last_error',
      ])
      .where('c.owner_consumer_id', 'is', null)
      .where('c.deleted_at', 'is', null);
  }
}

/** A channel's encrypted secrets as they are stored. */
interface SealedChannel {
  readonly id: string;
  readonly name: string;
  readonly sealed: string;
}

/** The encrypted secrets of all channels that are not removed. */
export function everySealedChannel(db: Queryable): Promise<SealedChannel[]> {
  return (
    db
      .selectFrom('channels')
      .select(['id', 'name', 'sealed'])
      .where('deleted_at', 'is', null)
      // A mail to a consumer's people has no secret.
      .where('sealed', '<>', '')
      .orderBy('id')
      .execute()
  );
}

/** Replaces a channel's secrets by the same ones encrypted anew, unless they have changed since. @returns whether it did */
export function replaceSealedChannel(
  db: Queryable,
  was: SealedChannel,
  sealed: string,
  audit: AuditEntry,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const replaced = await trx
      .updateTable('channels')
      .set({ sealed })
      .where('id', '=', was.id)
      .where('sealed', '=', was.sealed)
      .returning('id')
      .executeTakeFirst();
    if (replaced === undefined) return false;
    await recordAudit(trx, audit);
    return true;
  });
}
