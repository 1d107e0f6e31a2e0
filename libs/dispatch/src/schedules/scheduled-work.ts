import type { ClaimedRun } from '#libs/database';

/** Work that recurs, once across all processes. */
export interface ScheduledWork {
  readonly name: string;
  readonly everyMs: number;
  /**
   * One run; harmless when it is repeated, or runs beside another that took it over.
   * @returns where the next run goes on, if it goes on anywhere, and what a part of it could not do
   * @throws what it could not do; the next run tries again
   */
  run(claimed: ClaimedRun): Promise<{ readonly cursor: string | null; readonly fault: string | null } | void>;
}
