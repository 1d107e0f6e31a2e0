import { Injectable } from '@nestjs/common';
import { sql, type Selectable } from 'kysely';
import { Database, ReadingDatabase } from '../connection.js';
import type { Workers } from '../tables.js';

export type WorkerRow = Selectable<Workers>;

/** What a worker reports with each heartbeat; by it the standing of deliveries is shown. */
export interface WorkerCondition {
  readonly concurrency: number;
  /** Ids of the deliveries that it is sending. */
  readonly sending: readonly string[];
  /** Ids of the consumers that it serves. */
  readonly sessions: readonly string[];
  /** Those of them whose limits keep deliveries waiting. */
  readonly atLimit: readonly string[];
}

/** Worker processes, as they say of themselves that they live. */
@Injectable()
export class WorkersRepository {
  constructor(
    private readonly db: Database,
    private readonly reading: ReadingDatabase,
  ) {}

  /** Says that a worker lives, and how it is. */
  async beat({
    id,
    host,
    pid,
    concurrency,
    sending,
    sessions,
    atLimit,
  }: Pick<WorkerRow, 'id' | 'host' | 'pid'> & WorkerCondition): Promise<void> {
    const condition = {
      concurrency,
      sending: [...sending],
      sessions: [...sessions],
      at_limit: [...atLimit],
    };
    await this.db
      .insertInto('workers')
      .values({ id, host, pid, ...condition })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ ...condition, seen_at: sql<Date>`now()` }),
      )
      .execute();
  }

  /** A worker has stopped in good order. */
  async remove(id: string): Promise<void> {
    await this.db.deleteFrom('workers').where('id', '=', id).execute();
  }

  /** Those that were seen within so many milliseconds, the oldest first. */
  seenWithin(ms: number): Promise<WorkerRow[]> {
    return this.reading
      .selectFrom('workers')
      .selectAll()
      .where('seen_at', '>', sql<Date>`now() - ${ms} * interval '1 millisecond'`)
      .orderBy('started_at')
      .orderBy('id')
      .execute();
  }

  /** Forgets workers that ended without a word, a day ago. */
  async trim(): Promise<void> {
    await this.db
      .deleteFrom('workers')
      .where('seen_at', '<', sql<Date>`now() - interval '1 day'`)
      .execute();
  }
}
