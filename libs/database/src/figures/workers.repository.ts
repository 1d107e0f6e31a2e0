import { Injectable } from '@nestjs/common';
import { sql, type Selectable } from 'kysely';
import { Database, ReadingDatabase } from '../connection/connection.js';
import type { Workers } from '../schema/tables.js';

export type WorkerRow = Selectable<Workers>;

/** A worker's heartbeat, from which the state of deliveries is derived. */
export interface WorkerCondition {
  readonly concurrency: number;
  /** Ids of the deliveries in flight. */
  readonly sending: readonly string[];
  /** Ids of the consumers that the worker serves. */
  readonly sessions: readonly string[];
  /** How many of these sessions have lasted for a turn. */
  readonly lasting: number;
  /** Ids of the served consumers whose own limits keep deliveries waiting. */
  readonly atLimit: readonly string[];
}

/** Worker processes and their heartbeats. */
@Injectable()
export class WorkersRepository {
  constructor(
    private readonly db: Database,
    private readonly reading: ReadingDatabase,
  ) {}

  /** Records the heartbeat of a worker. */
  async beat({
    id,
    host,
    pid,
    concurrency,
    sending,
    sessions,
    lasting,
    atLimit,
  }: Pick<WorkerRow, 'id' | 'host' | 'pid'> & WorkerCondition): Promise<void> {
    const condition = {
      concurrency,
      sending: [...sending],
      sessions: [...sessions],
      lasting,
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

  /** Removes a worker that has stopped. */
  async remove(id: string): Promise<void> {
    await this.db.deleteFrom('workers').where('id', '=', id).execute();
  }

  /** Workers with a heartbeat in the last `ms` milliseconds, the oldest first. */
  seenWithin(ms: number): Promise<WorkerRow[]> {
    return this.reading
      .selectFrom('workers')
      .selectAll()
      .where('seen_at', '>', sql<Date>`now() - ${ms} * interval '1 millisecond'`)
      .orderBy('started_at')
      .orderBy('id')
      .execute();
  }

  /**
   * Workers whose heartbeats ended within `ms` milliseconds without a stop, the last one first: killed, suspended, or cut
   * off from PostgreSQL.
   * @param goneAfterMs a shorter silence is none
   */
  missingSince(ms: number, goneAfterMs: number): Promise<WorkerRow[]> {
    return this.reading
      .selectFrom('workers')
      .selectAll()
      .where('seen_at', '>', sql<Date>`now() - ${ms} * interval '1 millisecond'`)
      .where('seen_at', '<=', sql<Date>`now() - ${goneAfterMs} * interval '1 millisecond'`)
      .orderBy('seen_at', 'desc')
      .orderBy('id')
      .execute();
  }

  /** Removes workers whose last heartbeat was a day ago. */
  async trim(): Promise<void> {
    await this.db
      .deleteFrom('workers')
      .where('seen_at', '<', sql<Date>`now() - interval '1 day'`)
      .execute();
  }
}
