import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { postgresAccount } from '#apps/standalone/src/postgres/account';
import { makeCluster, RunningCluster } from '#apps/standalone/src/postgres/cluster';
import { findPrograms } from '#apps/standalone/src/postgres/programs';
import { freePort } from '#test/support/free-port';
import { temporaryFolder } from '#test/support/temporary-folder';
import { LONGEST_WAIT_MS, waitUntil } from '#test/support/wait-until';

test('the embedded PostgreSQL goes on after 3 MB of log, and its errors show neither statements nor values', async () => {
  const folder = await temporaryFolder('embedded');
  const account = postgresAccount();
  const programs = findPrograms(account);
  try {
    const cluster = join(folder.path, 'cluster');
    const options = { programs, account, folder: cluster, port: await freePort(), password: 'test' };
    await makeCluster(options);
    const running = await RunningCluster.start(options);
    const client = new Client({ connectionString: running.url, query_timeout: LONGEST_WAIT_MS });
    try {
      await client.connect();
      await client.query(`do $$ begin
        for line in 1..3000 loop raise log '% %', line, repeat('x', 1000); end loop;
      end $$`);
      await client.query('create temporary table secrets (value text primary key)');
      await client.query(`insert into secrets values ('an account number')`);
      await expect(client.query(`insert into secrets values ('an account number')`)).rejects.toThrow(
        'unique',
      );
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
      const file = join(cluster, 'server.log');
      await waitUntil(async () => (await readFile(file, 'utf8')).includes('secrets_pkey'), {
        what: 'the error in the log',
      });
      expect((await stat(file)).size).toBeGreaterThan(3_000_000);
      expect(await readFile(file, 'utf8')).not.toContain('an account number');
    } finally {
      await client.end();
      await running.stop();
    }
  } finally {
    programs.dispose();
    await folder.remove();
  }
});
