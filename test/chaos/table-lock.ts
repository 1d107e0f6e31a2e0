import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { ChaosEnvironment } from '#test/chaos/chaos-environment';

const LOOK_EVERY_MS = 200;
const WAITING = `select count(*)::int as count from pg_locks where relation = to_regclass($1) and not granted`;

/**
 * Holds a table so that nobody else reads or writes it, as an `alter table` by hand does.
 * Tells how many waited for it at once, at the most.
 */
export async function lockTable(stage: ChaosEnvironment, table: string, forMs: number): Promise<string> {
  const holder = new Client({ connectionString: stage.postgres.adminUrl, connectionTimeoutMillis: 5_000 });
  holder.on('error', () => undefined);
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query(`lock table ${table} in access exclusive mode`);
    const endAtMs = performance.now() + forMs;
    let most = 0;
    while (performance.now() < endAtMs) {
      const [waiting] = await stage.ask<{ count: number }>(WAITING, [table]);
      most = Math.max(most, waiting?.count ?? 0);
      await pause(LOOK_EVERY_MS);
    }
    await holder.query('rollback');
    return `${most} waited for it at once`;
  } finally {
    await holder.end();
  }
}
