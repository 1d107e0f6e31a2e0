import { within } from '#libs/contracts';
import { sql } from 'kysely';
import type { Queryable } from './connection.js';
import { DatabaseUnavailableError } from './faults.js';

/**
 * Checks that PostgreSQL answers.
 * @throws DatabaseUnavailableError when it does not answer in time; the driver's error when it is unreachable
 */
export async function pingDatabase(db: Queryable, withinMs: number): Promise<void> {
  await within(withinMs, sql`select 1`.execute(db), () => {
    throw new DatabaseUnavailableError(`no answer within ${String(withinMs)} ms`);
  });
}
