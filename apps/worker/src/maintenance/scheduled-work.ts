import type { ClaimedRun } from '#libs/database';

/** The name of the reconcile schedule, which also runs when the queue is reachable again. */
export const RECONCILE = 'reconcile';

/** Recurring work that one process at a time runs. */
export interface ScheduledWork {
  readonly name: string;
  readonly everyMs: number;
  /**
   * One run. It may be repeated, and run at the same time as one in a process that has claimed it since.
   * @returns the error of a failed step when the other steps were done
   * @throws when it failed; the next run tries again
   */
  run(claimed: ClaimedRun): Promise<{ readonly fault: string | null } | void>;
}
