import type { UrlRequestState } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { sql, type Selectable } from 'kysely';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import { Database, type Transaction } from '../connection/connection.js';
import type { UrlRequests } from '../schema/tables.js';
import { ConsumersRepository, type ConsumerSettings } from './consumers.repository.js';

export type UrlRequestRow = Selectable<UrlRequests>;

/** A request with its consumer, for operators. */
export type UrlRequestOfConsumer = UrlRequestRow & {
  readonly consumer_name: string;
  /** The consumer's URL now. */
  readonly current_url: string;
};

type UrlRequestMade =
  | { readonly kind: 'made'; readonly row: UrlRequestRow }
  | { readonly kind: 'no_consumer' | 'one_is_waiting' | 'same_url' };

/** `decided`: it was decided or withdrawn before. `url_changed`: the consumer's URL has changed since the request. */
export type UrlRequestDecided =
  | { readonly kind: 'done' }
  | { readonly kind: 'decided'; readonly state: UrlRequestState }
  | { readonly kind: 'unknown' | 'url_changed' };

/** Changes of consumers' URLs that their people request and operators decide. */
@Injectable()
export class UrlRequestsRepository {
  constructor(
    private readonly db: Database,
    private readonly consumers: ConsumersRepository,
  ) {}

  /** Makes a request, unless the consumer has a waiting one or has this URL already. */
  async make(
    request: {
      readonly id: string;
      readonly consumerId: string;
      readonly url: string;
      readonly reason?: string;
    },
    audit: (urlBefore: string) => AuditEntry,
  ): Promise<UrlRequestMade> {
    return this.db.transaction().execute(async (trx): Promise<UrlRequestMade> => {
      const consumer = await trx
        .selectFrom('consumers')
        .select('url')
        .where('id', '=', request.consumerId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (consumer === undefined) return { kind: 'no_consumer' };
      if (consumer.url === request.url) return { kind: 'same_url' };
      const entry = audit(consumer.url);
      const row = await trx
        .insertInto('url_requests')
        .values({
          id: request.id,
          consumer_id: request.consumerId,
          url: request.url,
          url_before: consumer.url,
          reason: request.reason ?? null,
          made_by: entry.actor,
        })
        // The unique index of waiting requests; an exception would be an error in PostgreSQL's log.
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return { kind: 'one_is_waiting' };
      await recordAudit(trx, entry);
      return { kind: 'made', row };
    });
  }

  /** A consumer's requests, newest first; one row more than `limit`. */
  ofConsumer(consumerId: string, page: { offset: number; limit: number }): Promise<UrlRequestRow[]> {
    return this.db
      .selectFrom('url_requests')
      .selectAll()
      .where('consumer_id', '=', consumerId)
      .orderBy('id', 'desc')
      .offset(page.offset)
      .limit(page.limit + 1)
      .execute();
  }

  /** The consumer's waiting request, if it has one. */
  waitingOf(consumerId: string): Promise<UrlRequestRow | undefined> {
    return this.db
      .selectFrom('url_requests')
      .selectAll()
      .where('consumer_id', '=', consumerId)
      .where('state', '=', 'waiting')
      .executeTakeFirst();
  }

  /** The requests of all consumers that are not removed, newest first; one row more than `limit`. */
  list(
    state: UrlRequestState | undefined,
    page: { offset: number; limit: number },
  ): Promise<UrlRequestOfConsumer[]> {
    return this.withConsumer()
      .$if(state !== undefined, (query) => query.where('url_requests.state', '=', state ?? 'waiting'))
      .orderBy('url_requests.id', 'desc')
      .offset(page.offset)
      .limit(page.limit + 1)
      .execute();
  }

  find(id: string): Promise<UrlRequestOfConsumer | undefined> {
    return this.withConsumer().where('url_requests.id', '=', id).executeTakeFirst();
  }

  /**
   * Changes the consumer's URL as requested. Request and consumer are locked, in this order, so that the URL that the
   * operator has compared is the one that is replaced.
   */
  approve(
    id: string,
    audits: {
      readonly request: (row: UrlRequestRow) => AuditEntry;
      readonly consumer: (before: ConsumerSettings, after: ConsumerSettings) => AuditEntry;
    },
  ): Promise<UrlRequestDecided> {
    return this.db.transaction().execute(async (trx) => {
      const request = await lock(trx, id);
      if (request === undefined) return { kind: 'unknown' };
      if (request.state !== 'waiting') return { kind: 'decided', state: request.state };
      const changed = await this.consumers.updateIn(
        trx,
        request.consumer_id,
        { url: request.url },
        { onlyIf: ({ url }) => url === request.url_before, audit: audits.consumer },
      );
      if (changed === 'unknown') return { kind: 'unknown' };
      if (changed === 'unchanged') return { kind: 'url_changed' };
      await decide(trx, id, 'approved', audits.request(request));
      return { kind: 'done' };
    });
  }

  /** Rejects a waiting request; with `consumerId` its consumer withdraws it, and another consumer's is unknown. */
  end(
    request: { readonly id: string; readonly consumerId?: string },
    state: 'rejected' | 'withdrawn',
    audit: (row: UrlRequestRow) => AuditEntry,
  ): Promise<UrlRequestDecided> {
    return this.db.transaction().execute(async (trx) => {
      const row = await lock(trx, request.id, request.consumerId);
      if (row === undefined) return { kind: 'unknown' };
      if (row.state !== 'waiting') return { kind: 'decided', state: row.state };
      await decide(trx, row.id, state, audit(row));
      return { kind: 'done' };
    });
  }

  private withConsumer() {
    return this.db
      .selectFrom('url_requests')
      .innerJoin('consumers', 'consumers.id', 'url_requests.consumer_id')
      .selectAll('url_requests')
      .select(['consumers.name as consumer_name', 'consumers.url as current_url'])
      .where('consumers.deleted_at', 'is', null);
  }
}

const lock = (trx: Transaction, id: string, consumerId?: string): Promise<UrlRequestRow | undefined> =>
  trx
    .selectFrom('url_requests')
    .selectAll()
    .where('id', '=', id)
    .$if(consumerId !== undefined, (query) => query.where('consumer_id', '=', consumerId ?? ''))
    .forUpdate()
    .executeTakeFirst();

/** Ends a locked request; its reason is that of the audit entry. */
async function decide(
  trx: Transaction,
  id: string,
  state: Exclude<UrlRequestState, 'waiting'>,
  audit: AuditEntry,
): Promise<void> {
  await trx
    .updateTable('url_requests')
    .set({
      state,
      decided_by: audit.actor,
      decided_at: sql<Date>`now()`,
      decision_reason: audit.reason ?? null,
    })
    .where('id', '=', id)
    .execute();
  await recordAudit(trx, audit);
}
