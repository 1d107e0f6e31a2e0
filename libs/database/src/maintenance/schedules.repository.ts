import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../connection/connection.js';

/** A claimed run; the claim expires unless the process extends it. */
export interface ClaimedRun {
  readonly name: string;
  readonly runId: string;
  /** When it was claimed, by PostgreSQL's clock: the time of the run's decisions. */
  readonly claimedAt: Date;
  /** When a run of any schedule last ended, with or without an error: the last sign of a worker. Null: none has. */
  readonly lastFinishedAt: Date | null;
}

interface RunEnd {
  readonly everyMs: number;
  readonly error: string | null;
}

/**
 * Duration of a claim: another process can claim the run of a dead process after this time. A live process extends
 * its claim more often.
 */
const RUN_LEASE_MS = 10_000;

/**
 * Schedules of recurring work, of which one process at a time runs each. The due times are in a table, so they do not
 * depend on the queue.
 */
@Injectable()
export class SchedulesRepository {
  constructor(private readonly db: Database) {}

  async register(names: readonly string[]): Promise<void> {
    await sql`insert into schedules (name) select unnest(${names}::text[]) on conflict do nothing`.execute(
      this.db,
    );
  }

  /** Claims the due runs that no other process has claimed. */
  async claimDue(names: readonly string[]): Promise<ClaimedRun[]> {
    const { rows } = await sql<{
      name: string;
      run_id: string;
      last_started_at: Date;
      last_finished_at: Date | null;
    }>`
      with due as (
        select name from schedules
        where name = any (${names}::text[]) and next_at <= now()
          and (running_until is null or running_until < now())
        for no key update skip locked
      )
      update schedules s
      set run_id = gen_random_uuid(), running_until = now() + ${RUN_LEASE_MS}::int * interval '1 millisecond',
          last_started_at = now()
      from due where s.name = due.name
      -- All schedules are due after an outage, and one statement claims them: no run has ended since.
      returning s.name, s.run_id, s.last_started_at, (select max(last_finished_at) from schedules) as last_finished_at`.execute(
      this.db,
    );
    return rows.map((row) => ({
      name: row.name,
      runId: row.run_id,
      claimedAt: row.last_started_at,
      lastFinishedAt: row.last_finished_at,
    }));
  }

  /** Extends the claim of a run. */
  async keep(run: ClaimedRun): Promise<void> {
    await sql`
      update schedules set running_until = now() + ${RUN_LEASE_MS}::int * interval '1 millisecond'
      where name = ${run.name} and run_id = ${run.runId}`.execute(this.db);
  }

  /**
   * Ends a run and schedules the next one, immediately if it was requested meanwhile. Has no effect if another
   * process has claimed the run since.
   */
  async finish(run: ClaimedRun, end: RunEnd): Promise<void> {
    await sql`
      update schedules
      set run_id = null, running_until = null,
          next_at = case when next_at > last_started_at then next_at
            else greatest(now(), last_started_at + ${end.everyMs}::int * interval '1 millisecond') end,
          last_finished_at = now(),
          last_succeeded_at = case when ${end.error}::text is null then now() else last_succeeded_at end,
          last_error = ${end.error}, runs = runs + 1, faults = faults + ${end.error === null ? 0 : 1}::int
      where name = ${run.name} and run_id = ${run.runId}`.execute(this.db);
  }

  /** Makes a run due now. */
  async hasten(name: string): Promise<void> {
    await this.db
      .updateTable('schedules')
      .set({ next_at: sql<Date>`now()` })
      .where('name', '=', name)
      .execute();
  }

  /** Records a period in which no worker was running as excluded downtime. */
  async noteOutage(from: Date, to: Date): Promise<void> {
    await this.db
      .insertInto('excluded_downtime')
      .values({ consumer_id: null, cause: 'outage', began_at: from, ended_at: to })
      .execute();
  }
}
