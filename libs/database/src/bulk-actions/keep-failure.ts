import { sql } from 'kysely';
import { DISPATCHER, recordAudit } from '../audit/audit.js';
import type { Database } from '../connection/connection.js';
import { codeOf, isTooSlow, isTransient } from '../connection/faults.js';

/** Number of consecutive failures that end an action: the next step would probably fail too. */
const MOST_FAILURES = 10;

export interface FailedStep {
  /** The cause in the dispatcher's words, without data of deliveries and without PostgreSQL's message. */
  readonly fault: string;
  /** Whether this was the tenth consecutive failure, which has ended the action. */
  readonly hasEnded: boolean;
}

/** Counts a failed step of an action, in a separate transaction, since the step's own is rolled back. */
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
    // Undefined when the action was stopped meanwhile.
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
