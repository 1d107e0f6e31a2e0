// A temporary PostgreSQL server with the migrated schema, for checks.
import { mkdtempSync, chmodSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateToLatest } from '../dist/libs/database/src/index.js';
import { freePort } from '../dist/apps/standalone/src/free-port.js';
import { postgresAccount } from '../dist/apps/standalone/src/postgres/account.js';
import { makeCluster, RunningCluster } from '../dist/apps/standalone/src/postgres/cluster.js';
import { findPrograms } from '../dist/apps/standalone/src/postgres/programs.js';

/** Runs `work` with the server's URL. */
export async function withMigratedPostgres(work) {
  const folder = mkdtempSync(join(tmpdir(), 'check-database-'));
  chmodSync(folder, 0o755);
  const account = postgresAccount();
  const programs = findPrograms(account);
  const settings = { fsync: 'off', synchronous_commit: 'off' };
  const options = {
    programs,
    account,
    folder: join(folder, 'cluster'),
    port: await freePort(),
    password: 'check',
    settings,
  };
  try {
    await makeCluster(options);
    const cluster = await RunningCluster.start(options);
    try {
      await migrateToLatest(cluster.url);
      return await work(cluster.url);
    } finally {
      await cluster.stop();
    }
  } finally {
    programs.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}
