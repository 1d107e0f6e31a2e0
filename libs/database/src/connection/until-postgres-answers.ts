import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from './connection.js';
import { isLoginRefused, isUnavailable } from './faults.js';

const ASK_EVERY_MS = 500;

/**
 * Resolves when PostgreSQL accepts connections, which is usually at once.
 *
 * @param options.onWait called once, before the first wait, with the reason for it
 * @param options.withinMs maximum time until the last try, in milliseconds; unlimited by default
 * @throws at once an error that waiting cannot resolve, such as a wrong password or a database that does not exist;
 *   the last error when the time is over
 */
export async function untilPostgresAnswers(
  url: string,
  options: { readonly onWait: (reason: unknown) => Promise<void> | void; readonly withinMs?: number },
): Promise<void> {
  const { onWait, withinMs = Infinity } = options;
  const db = openDatabase({ url, poolSize: 1 });
  const lastTryAtMs = performance.now() + withinMs;
  try {
    for (let waits = false; ; waits = true) {
      try {
        await sql`select 1`.execute(db);
        return;
      } catch (error) {
        const mayPass = isUnavailable(error) && !isLoginRefused(error);
        if (!mayPass || performance.now() > lastTryAtMs) throw error;
        if (!waits) await onWait(error);
      }
      await delay(ASK_EVERY_MS);
    }
  } finally {
    await db.destroy();
  }
}
