import { sql } from 'kysely';
import { recordAudit } from '../access/audit.js';
import type { Database } from '../connection.js';
import { codeOf, isTooSlow, isTransient } from '../faults.js';
import { DISPATCHER } from '../operations/transitions.js';

/** So many failures in a row end an action: nothing says that the next step would not fail too. */
const MOST_FAILURES = 10;

export interface FailedStep {
  /** Why, in our words: nothing of the deliveries, nor of what PostgreSQL said about them. */
  readonly fault: string;
  /** It was the tenth in a row, and the action has ended. */
  readonly hasEnded: boolean;
}

/** Keeps against an action that its step has failed, in a transaction of its own, since the step's is undone. */
export function keepFailure(db: Database, id: string, error: unknown): Promise<FailedStep> {
  const fault = faultInWords(error);
  return db.transaction().execute(async (trx) => {
    const action = await trx
      .updateTable('bulk_actions')
      .set((eb) => ({
        failures: eb('failures', '+', 1),
        last_fault: fault,
        stepped_at: sql<Date>`clock_timestamp()`,
      }))
      .where('id', '=', id)
      .where('state', '=', 'running')
      .returning(['action', 'failures', 'processed', 'changed', 'skipped'])
      .executeTakeFirst();
    // Stopped meanwhile.
    if (action === undefined || action.failures < MOST_FAILURES) return { fault, hasEnded: false };
    const { action: kind, failures, processed, changed, skipped } = action;
    await trx
      .updateTable('bulk_actions')
      .set({ state: 'failed', finished_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute();
    await recordAudit(trx, {
      actor: DISPATCHER,
      action: 'bulk-action.failed',
      target: `bulk-action:${id}`,
      address: null,
      details: { action: kind, fault, failures, processed, changed, skipped },
    });
    return { fault, hasEnded: true };
  });
}

function faultInWords(error: unknown): string {
  if (isTooSlow(error)) return 'A step took longer than PostgreSQL may take for a statement.';
  if (isTransient(error)) return 'Other work held the locks that a step needs, several times in a row.';
  const code = codeOf(error);
  return code === undefined
    ? 'A step failed by a fault of the dispatcher.'
    : `PostgreSQL refused a step, with the code ${code}.`;
}
