import type { RoutableConsumer } from '#libs/policy';
import { Injectable } from '@nestjs/common';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import { Database, type Transaction } from '../connection/connection.js';
import { codeOf } from '../connection/faults.js';
import { cancelOfRemovedConsumers } from '../engine/end-pending.js';
import { chunksOf, type Listed } from '../lists/chunks.js';
import type { ConsumerRuntime, Consumers } from '../schema/tables.js';
import type { SealedCredentials } from './credential-versions.js';

/** A consumer's settings, with the runtime values that are shown next to them; its circuit is part of its health. */
export type ConsumerRow = Selectable<Consumers> &
  Pick<Selectable<ConsumerRuntime>, 'failures' | 'secret_fault' | 'secret_fault_at'>;
/** A consumer's settings, without runtime values. */
export type ConsumerSettings = Selectable<Consumers>;
export type NewConsumer = Insertable<Consumers>;
export type ConsumerChange = Updateable<Consumers>;

/** Earlier than every version of the settings for routing. */
export const NO_VERSION = '-1';

/** Another live consumer has this `externalId`. */
export class ExternalIdTakenError extends Error {
  override readonly name = 'ExternalIdTakenError';
}

/** Maximum number of deliveries that the removal of a consumer cancels while the operator waits. */
const CANCELLED_AT_ONCE = 5_000;

/** The consumers. A removed one keeps its row for the history, but is not listed. */
@Injectable()
export class ConsumersRepository {
  constructor(private readonly db: Database) {}

  /** Registers a consumer with its first credentials. @throws ExternalIdTakenError */
  async insert(
    consumer: NewConsumer,
    { sealed, clientCertificates }: SealedCredentials,
    audit: AuditEntry,
  ): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const row = await trx
        .insertInto('consumers')
        // PostgreSQL's time, since the pause is excluded from the time until a delivery expires.
        .values(consumer.state === 'paused' ? { ...consumer, paused_at: sql<Date>`now()` } : consumer)
        // Not an exception: each one would be an error in PostgreSQL's log.
        .onConflict((conflict) => conflict.doNothing())
        .returning(['id', 'created_at'])
        .executeTakeFirst();
      if (row === undefined) throw new ExternalIdTakenError(TAKEN);
      await trx
        .insertInto('consumer_credentials')
        .values({
          consumer_id: row.id,
          version: 1,
          sealed,
          activate_at: row.created_at,
          created_by: audit.actor,
          client_certificates: JSON.stringify(clientCertificates),
        })
        .execute();
      await trx.insertInto('consumer_runtime').values({ consumer_id: row.id }).execute();
      await this.routingChanged(trx, row.id);
      await recordAudit(trx, audit);
    });
  }

  find(id: string): Promise<ConsumerRow | undefined> {
    return this.withRuntime().where('consumers.id', '=', id).executeTakeFirst();
  }

  /** Newest first; one row more than `limit`. */
  async list(
    { search }: { readonly search?: string },
    page: { offset: number; limit: number },
  ): Promise<Listed[]> {
    const { rows } = await sql<Listed>`
      with page as materialized (
        select id as wanted from consumers join consumer_runtime on consumer_id = id where deleted_at is null
          -- A scan: there are thousands of consumers, and people search.
          and strpos(lower(concat_ws(E'\\n', name, external_id, contact)), lower(${search ?? ''})) > 0
        order by id desc offset ${page.offset} limit ${page.limit + 1}
      )
      -- The long columns: up to 10,000 companies of either kind, and the certificate.
      select id, octet_length(concat(ach_company_ids, wire_company_ids, ca_certificate)) as bytes
      from page join consumers on id = wanted order by wanted desc`.execute(this.db);
    return rows;
  }

  /** Yields the consumers of a page, in chunks that are read on demand. One that is removed meanwhile is omitted. */
  async *listed(page: readonly Listed[]): AsyncGenerator<ConsumerRow[]> {
    for (const ids of chunksOf(page))
      yield await this.withRuntime()
        .where('consumers.id', 'in', ids)
        .orderBy('consumers.id', 'desc')
        .execute();
  }

  /**
   * Changes a consumer. `audit` makes the entry from the row before and after the change.
   * @returns whether there is such a consumer @throws ExternalIdTakenError
   */
  async update(
    id: string,
    change: ConsumerChange,
    audit: (before: ConsumerSettings, after: ConsumerSettings) => AuditEntry,
  ): Promise<boolean> {
    const changed = await this.db
      .transaction()
      .execute((trx) => this.updateIn(trx, id, change, { audit, onlyIf: () => true }));
    return changed === 'changed';
  }

  /**
   * Like `update`, as a part of a transaction.
   * @param given.onlyIf whether the locked consumer may be changed; otherwise it is `unchanged`
   * @throws ExternalIdTakenError
   */
  async updateIn(
    trx: Transaction,
    id: string,
    change: ConsumerChange,
    given: {
      readonly onlyIf: (before: ConsumerSettings) => boolean;
      readonly audit: (before: ConsumerSettings, after: ConsumerSettings) => AuditEntry;
    },
  ): Promise<'changed' | 'unchanged' | 'unknown'> {
    const before = await trx
      .selectFrom('consumers')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (before === undefined) return 'unknown';
    if (!given.onlyIf(before)) return 'unchanged';
    if (change.external_id != null && (await isTaken(trx, change.external_id, id)))
      throw new ExternalIdTakenError(TAKEN);
    const after = await trx
      .updateTable('consumers')
      .set({ ...change, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(translateConflict);
    await this.routingChanged(trx, id);
    await recordAudit(trx, given.audit(before, after));
    return 'changed';
  }

  /**
   * Removes a consumer: from the commit on nothing is fetched for it, and its keys are revoked. Cancels its pending
   * deliveries at once; reconcile cancels the rest of a long backlog. @returns whether there was such a consumer
   */
  async remove(id: string, audit: AuditEntry): Promise<boolean> {
    const removed = await this.db.transaction().execute(async (trx) => {
      const row = await trx
        .updateTable('consumers')
        .set({ deleted_at: sql<Date>`now()` })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (row === undefined) return false;
      await trx
        .updateTable('api_keys')
        .set({ revoked_at: sql<Date>`now()` })
        .where('consumer_id', '=', id)
        .where('revoked_at', 'is', null)
        .execute();
      await this.routingChanged(trx, id);
      await recordAudit(trx, audit);
      return true;
    });
    if (removed) await cancelOfRemovedConsumers(this.db, CANCELLED_AT_ONCE);
    return removed;
  }

  /** Returns the version of the consumers' settings for routing. */
  async routingVersion(): Promise<string> {
    const state = this.db.selectFrom('dispatcher_state').select('routing_version');
    return (await state.executeTakeFirstOrThrow()).routing_version;
  }

  /**
   * Returns the version of the consumers' settings for routing, and the consumers that have changed after version
   * `since`, by id; null: it is removed. From one snapshot: versions are given under the lock of one row, so a
   * snapshot with a version has every change up to it.
   */
  async routingSince(
    since: string,
  ): Promise<{ version: string; changed: Map<string, RoutableConsumer | null> }> {
    return this.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        const { routing_version } = await trx
          .selectFrom('dispatcher_state')
          .select('routing_version')
          .executeTakeFirstOrThrow();
        const rows = await trx
          .selectFrom('consumers')
          .select([
            'id',
            'external_id',
            'event_types',
            'ach_company_ids',
            'wire_company_ids',
            'all_payments',
            'deleted_at',
          ])
          .where('routing_version', '>', since)
          // A process that knows nothing needs no removed ones.
          .$if(since === NO_VERSION, (all) => all.where('deleted_at', 'is', null))
          .orderBy('id')
          .execute();
        const routable = (row: (typeof rows)[number]): RoutableConsumer => ({
          id: row.id,
          externalId: row.external_id,
          eventTypes: row.event_types,
          achCompanyIds: row.ach_company_ids,
          wireCompanyIds: row.wire_company_ids,
          allPayments: row.all_payments,
        });
        return {
          version: routing_version,
          changed: new Map(rows.map((row) => [row.id, row.deleted_at === null ? routable(row) : null])),
        };
      });
  }

  /** The sealed credentials of a version; undefined when there is none. */
  async sealedCredentials(consumerId: string, version: number): Promise<string | undefined> {
    const row = await this.db
      .selectFrom('consumer_credentials')
      .select('sealed')
      .where('consumer_id', '=', consumerId)
      .where('version', '=', version)
      .executeTakeFirst();
    return row?.sealed;
  }

  private withRuntime() {
    return this.db
      .selectFrom('consumers')
      .innerJoin('consumer_runtime', 'consumer_runtime.consumer_id', 'consumers.id')
      .selectAll('consumers')
      .select(['failures', 'secret_fault', 'secret_fault_at'])
      .where('deleted_at', 'is', null);
  }

  /**
   * Called in the transaction of the change, last, since changes wait for each other here: a later accept sees the new
   * version, and reads the consumers that have one.
   */
  private async routingChanged(trx: Transaction, id: string): Promise<void> {
    await sql`
      with state as (update dispatcher_state set routing_version = routing_version + 1 returning routing_version)
      update consumers set routing_version = state.routing_version from state where id = ${id}`.execute(trx);
  }
}

const TAKEN = 'this externalId belongs to another consumer';

async function isTaken(trx: Transaction, externalId: string, id: string): Promise<boolean> {
  const others = trx
    .selectFrom('consumers')
    .select('id')
    .where('external_id', '=', externalId)
    .where('deleted_at', 'is', null)
    .where('id', '<>', id);
  return (await others.executeTakeFirst()) !== undefined;
}

/** Two changes at the same time: only then the index decides. */
function translateConflict(error: unknown): never {
  if (codeOf(error) === '23505') throw new ExternalIdTakenError(TAKEN);
  throw error;
}
