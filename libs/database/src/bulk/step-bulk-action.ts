import type { AuditAction, BulkActionKind } from '#libs/contracts';
import { sql, type RawBuilder } from 'kysely';
import { recordAudit } from '../access/audit.js';
import { retryTransient } from '../acts/retry-transient.js';
import type { Database } from '../connection.js';
import { isAway, isTooSlow } from '../faults.js';
import { DISPATCHER, lockGates } from '../gates/health.js';
import { FINISHED, OPEN } from '../reading/deliveries.repository.js';
import type { BatchDone } from './batch.js';
import type { BulkActionRow } from './bulk-actions.repository.js';
import { cancelBatch } from './cancel-batch.js';
import { covered } from './covered.js';
import { keepFailure, type FailedStep } from './keep-failure.js';
import { reopenBatch } from './reopen-batch.js';

export interface BulkStepDone extends BatchDone {
  readonly kind: 'done';
  readonly id: string;
  readonly action: BulkActionKind;
  readonly isFinished: boolean;
}

/** A step that has changed nothing; the action's next one is tried later, and others go before it. */
export interface BulkStepFailed extends FailedStep {
  readonly kind: 'failed';
  readonly id: string;
}

/**
 * The next batch of the running action whose turn it is. The batch and the place where the next begins are written in
 * one transaction: after a crash the action goes on exactly there, and nothing is done twice. Whoever stops the action
 * waits for the batch. A batch that fails is undone, and kept against the action: see `keepFailure`.
 * @returns undefined when no action is running whose turn it is and that nobody else is at
 * @throws when PostgreSQL is away, which is no fault of the action's
 */
export async function stepBulkAction(
  db: Database,
  limit: number,
): Promise<BulkStepDone | BulkStepFailed | undefined> {
  let turn: BulkActionRow | undefined;
  try {
    return await retryTransient(() =>
      db.transaction().execute(async (trx) => {
        turn = undefined;
        turn = await nextTurn(trx);
        return turn === undefined ? undefined : await step(trx, turn, limit);
      }),
    );
  } catch (error) {
    // What took too long may be the action's own fault; if PostgreSQL is away all the same, the next statement tells.
    if (turn === undefined || (isAway(error) && !isTooSlow(error))) throw error;
    return { kind: 'failed', id: turn.id, ...(await keepFailure(db, turn.id, error)) };
  }
}

/** One that has failed waits for a while, the longer the more often: ten failures in a row take some four minutes. */
const nextTurn = (trx: Database): Promise<BulkActionRow | undefined> =>
  trx
    .selectFrom('bulk_actions')
    .selectAll()
    .where('state', '=', 'running')
    .where(sql<boolean>`(failures = 0 or stepped_at < now() - failures * interval '5 seconds')`)
    .orderBy('stepped_at')
    .limit(1)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();

async function step(trx: Database, action: BulkActionRow, limit: number): Promise<BulkStepDone> {
  const batch = await nextBatch(trx, action, limit);
  const done = await doBatch(trx, action, batch);
  const isFinished = batch.length < limit;
  await moveOn(trx, action, { batch, done, isFinished });
  return { kind: 'done', id: action.id, action: action.action, isFinished, ...done };
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
      failures: 0,
      last_fault: null,
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
