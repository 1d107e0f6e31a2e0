import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { ChaosEnvironment } from '#test/chaos/chaos-environment';

const CHECK_EVERY_MS = 200;
const WAITING = `select count(*)::int as count from pg_locks where relation = to_regclass($1) and not granted`;

/**
 * Locks a table against reads and writes, as a manual `alter table` does.
 * @returns the largest number of statements that waited at the same time, as text
 */
export async function lockTable(
  environment: ChaosEnvironment,
  table: string,
  forMs: number,
): Promise<string> {
  const holder = new Client({
    connectionString: environment.postgres.adminUrl,
    connectionTimeoutMillis: 5_000,
  });
  holder.on('error', () => undefined);
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query(`lock table ${table} in access exclusive mode`);
    const endAtMs = performance.now() + forMs;
    let most = 0;
    while (performance.now() < endAtMs) {
      const [waiting] = await environment.query<{ count: number }>(WAITING, [table]);
      most = Math.max(most, waiting?.count ?? 0);
      await pause(CHECK_EVERY_MS);
    }
    await holder.query('rollback');
    return `at most ${most} statements waited at the same time`;
  } finally {
    await holder.end();
  }
}
