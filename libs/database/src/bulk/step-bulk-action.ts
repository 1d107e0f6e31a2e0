import type { AuditAction, BulkActionKind } from '#libs/contracts';
import { sql, type RawBuilder } from 'kysely';
import { recordAudit } from '../access/audit.js';
import { retryTransient } from '../acts/retry-transient.js';
import type { Database } from '../connection.js';
import { DISPATCHER, lockGates } from '../gates/health.js';
import { FINISHED, OPEN } from '../reading/deliveries.repository.js';
import type { BatchDone } from './batch.js';
import type { BulkActionRow } from './bulk-actions.repository.js';
import { cancelBatch } from './cancel-batch.js';
import { covered } from './covered.js';
import { reopenBatch } from './reopen-batch.js';

export interface BulkStep extends BatchDone {
  readonly id: string;
  readonly action: BulkActionKind;
  readonly isFinished: boolean;
}

/**
 * The next batch of the running action whose turn it is. The batch and the place where the next begins are written in
 * one transaction: after a crash the action goes on exactly there, and nothing is done twice. Whoever stops the action
 * waits for the batch.
 * @returns undefined when no action is running that nobody else is at
 */
export function stepBulkAction(db: Database, limit: number): Promise<BulkStep | undefined> {
  return retryTransient(() =>
    db.transaction().execute(async (trx): Promise<BulkStep | undefined> => {
      const action = await trx
        .selectFrom('bulk_actions')
        .selectAll()
        .where('state', '=', 'running')
        .orderBy('stepped_at')
        .limit(1)
        .forNoKeyUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (action === undefined) return undefined;
      const batch = await nextBatch(trx, action, limit);
      const done = await doBatch(trx, action, batch);
      const isFinished = batch.length < limit;
      await moveOn(trx, action, { batch, done, isFinished });
      return { id: action.id, action: action.action, isFinished, ...done };
    }),
  );
}

interface InBatch {
  id: string;
  consumer_id: string;
}

/**
 * In the order of their ids, so that a payment's statuses go again in theirs; those to be cancelled the other way
 * round, so that none is released by its predecessor's end just before its own.
 */
async function nextBatch(trx: Database, action: BulkActionRow, limit: number): Promise<InBatch[]> {
  const isCancel = action.action === 'cancel';
  const beyond = sql`id ${isCancel ? sql`<` : sql`>`} ${action.cursor}::uuid`;
  const where = sql`${coveredBy(action)} and ${action.cursor === null ? sql`true` : beyond}`;
  const page = sql`order by id ${isCancel ? sql`desc` : sql`asc`} limit ${limit}::int`;
  const { rows } = await sql<InBatch>`
    select id, consumer_id from (
      (select id, consumer_id from (${OPEN}) o where ${where} ${page})
      union all (select id, consumer_id from (${FINISHED}) f where ${where} ${page})
    ) d ${page}`.execute(trx);
  return rows;
}

/** Ids come from several clocks, so a delivery of later may have an earlier one: its time is asked too. */
const coveredBy = (action: BulkActionRow): RawBuilder<unknown> => sql`
  ${covered(action.action, action.filter)} and id <= ${action.newest_id}::uuid
  and created_at <= (select b.created_at from bulk_actions b where b.id = ${action.id}::uuid)`;

async function doBatch(trx: Database, action: BulkActionRow, batch: readonly InBatch[]): Promise<BatchDone> {
  if (batch.length === 0) return { changed: 0, released: [], atGateOf: [] };
  const ids = batch.map(({ id }) => id);
  const consumerIds = [...new Set(batch.map((row) => row.consumer_id))];
  const covers = covered(action.action, action.filter);
  await lockGates(trx, consumerIds);
  switch (action.action) {
    case 'retry':
    case 'replay':
      return reopenBatch(trx, { action: action.action, ids, consumerIds, covers });
    case 'cancel':
      return cancelBatch(trx, { ids, consumerIds, covers });
  }
}

async function moveOn(
  trx: Database,
  action: BulkActionRow,
  {
    batch,
    done,
    isFinished,
  }: { readonly batch: readonly InBatch[]; readonly done: BatchDone; readonly isFinished: boolean },
): Promise<void> {
  const processed = action.processed + batch.length;
  const changed = action.changed + done.changed;
  const skipped = processed - changed;
  await trx
    .updateTable('bulk_actions')
    .set({
      cursor: batch.at(-1)?.id ?? action.cursor,
      processed,
      changed,
      skipped,
      stepped_at: sql<Date>`clock_timestamp()`,
      ...(isFinished
        ? { state: 'finished' as const, finished_at: sql<Date>`now()`, matched: action.matched ?? processed }
        : {}),
    })
    .where('id', '=', action.id)
    .execute();
  if (!isFinished) return;
  await recordAudit(trx, {
    actor: DISPATCHER,
    action: 'bulk-action.finished' satisfies AuditAction,
    target: `bulk-action:${action.id}`,
    address: null,
    details: { action: action.action, processed, changed, skipped },
  });
}
