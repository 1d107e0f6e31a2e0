import type { ClaimedRun } from '#libs/database';

/** Work that recurs, once across all processes. */
export interface ScheduledWork {
  readonly name: string;
  readonly everyMs: number;
  /**
   * One run; harmless when it is repeated, or runs beside another that took it over.
   * @returns what a part of it could not do, if its other parts went on
   * @throws what it could not do; the next run tries again
   */
  run(claimed: ClaimedRun): Promise<{ readonly fault: string | null } | void>;
}
