import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Queryable } from './connection.js';
import { DatabaseUnavailableError } from './faults.js';

/**
 * Asks PostgreSQL for a sign of life.
 * @throws DatabaseUnavailableError when it does not answer in time; the driver's error when it is unreachable
 */
export async function pingDatabase(db: Queryable, withinMs: number): Promise<void> {
  const answered = new AbortController();
  const late = delay(withinMs, undefined, { ref: false, signal: answered.signal }).then(() => {
    throw new DatabaseUnavailableError(`no answer within ${String(withinMs)} ms`);
  });
  late.catch(() => undefined);
  const answer = sql`select 1`.execute(db);
  // An answer after the time limit is ignored.
  answer.catch(() => undefined);
  try {
    await Promise.race([answer, late]);
  } finally {
    answered.abort();
  }
}
