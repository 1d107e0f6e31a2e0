import type { AuditAction, BulkActionKind } from '#libs/contracts';
import { sql } from 'kysely';
import { DISPATCHER, recordAudit } from '../audit/audit.js';
import type { Database, Transaction } from '../connection/connection.js';
import { isTooSlow, isUnavailable, retryTransient } from '../connection/faults.js';
import type { BulkActionRow } from './bulk-actions.repository.js';
import { cancelBatch, lockBatch, reopenBatch, settle, type LockedBatch } from './change-batch.js';
import { covered, type Coverage } from './covered.js';
import { keepFailure, type FailedStep } from './keep-failure.js';
import { filterOf } from '../schema/stored-filter.js';

/** Name of the schedule; starting a bulk action makes it due at once. */
export const BULK_WORK = 'bulk';

export interface BulkStepDone {
  readonly kind: 'done';
  readonly id: string;
  readonly action: BulkActionKind;
  readonly isFinished: boolean;
  /** How many deliveries of the batch were changed. */
  readonly changed: number;
  /** Consumers whose deliveries may be due now; the caller enqueues them. */
  readonly consumerIds: readonly string[];
}

/** A failed step, which has changed nothing. The action's next step is tried later, after other actions. */
export interface BulkStepFailed extends FailedStep {
  readonly kind: 'failed';
  readonly id: string;
}

/**
 * Runs the next batch of the running action that has waited longest. The batch and the cursor of the next one are
 * written in one transaction: after a crash the action continues there, and nothing is done twice. A request to stop
 * the action waits for the batch. A batch that fails is rolled back and counted against the action (`keepFailure`).
 * @returns undefined when no action is due, or another worker has it locked
 * @throws when PostgreSQL is unreachable, which is not counted against the action
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
    // A timeout may be the action's own fault. If PostgreSQL is unreachable, the next statement fails as well.
    if (turn === undefined || (isUnavailable(error) && !isTooSlow(error))) throw error;
    return { kind: 'failed', id: turn.id, ...(await keepFailure(db, turn.id, error)) };
  }
}

/** After n consecutive failures an action waits for n times 5 s, so ten failures take about four minutes. */
const nextTurn = (trx: Transaction): Promise<BulkActionRow | undefined> =>
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

async function step(trx: Transaction, action: BulkActionRow, limit: number): Promise<BulkStepDone> {
  const covers = covered(action.action, filterOf(action.filter));
  const batch = await nextBatch(trx, action, covers, limit);
  const changed = await doBatch(
    trx,
    action,
    await lockBatch(
      trx,
      batch.map(({ id }) => id),
      covers,
    ),
  );
  const isFinished = batch.length < limit;
  await moveOn(trx, action, { batch, changed, isFinished });
  const consumerIds = [...new Set(batch.map((row) => row.consumer_id))];
  return { kind: 'done', id: action.id, action: action.action, isFinished, changed, consumerIds };
}

interface InBatch {
  id: string;
  consumer_id: string;
}

/**
 * Reads the next batch, in the order of ids. Cancellation uses the reverse order, so that the end of an earlier
 * status does not make a delivery due just before that delivery is cancelled.
 */
async function nextBatch(
  trx: Transaction,
  action: BulkActionRow,
  { pendingTable, pending, finished }: Coverage,
  limit: number,
): Promise<InBatch[]> {
  const isCancel = action.action === 'cancel';
  const beyond = sql`id ${isCancel ? sql`<` : sql`>`} ${action.cursor}::uuid`;
  // Ids come from several clocks, so a later delivery may have a smaller id; its creation time is compared too.
  const inTime = sql`id <= ${action.newest_id}::uuid
    and created_at <= (select b.created_at from bulk_actions b where b.id = ${action.id}::uuid)`;
  const rest = sql`${inTime} and ${action.cursor === null ? sql`true` : beyond}`;
  const page = sql`order by id ${isCancel ? sql`desc` : sql`asc`} limit ${limit}::int`;
  const { rows } = await sql<InBatch>`
    select id, consumer_id from (
      (select id, consumer_id from ${sql.table(pendingTable)} where ${pending} and ${rest} ${page})
      union all (select id, consumer_id from deliveries where ${finished} and ${rest} ${page})
    ) d ${page}`.execute(trx);
  return rows;
}

/** @returns how many deliveries were changed */
async function doBatch(trx: Transaction, action: BulkActionRow, batch: LockedBatch): Promise<number> {
  switch (action.action) {
    case 'retry':
    case 'replay':
      return reopenBatch(trx, { action: action.action, byConsumer: action.started_for !== null }, batch);
    case 'cancel':
      return cancelBatch(trx, batch);
    case 'settle':
      return settle(trx, batch.finished, { by: action.created_by, reason: action.reason });
  }
}

async function moveOn(
  trx: Transaction,
  action: BulkActionRow,
  done: {
    readonly batch: readonly InBatch[];
    readonly changed: number;
    readonly isFinished: boolean;
  },
): Promise<void> {
  const { batch, isFinished } = done;
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
