import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';
import { runSql } from '#test/support/run-sql';

export interface RunServers {
  readonly postgres: OwnPostgres | undefined;
  readonly redis: OwnRedis | undefined;
}

/**
 * Starts the servers that all test files of a run share, and sets their URLs in the environment.
 * @throws AggregateError when one could not be started; the other one is then stopped
 */
export async function startRunServers(): Promise<RunServers> {
  const [postgres, redis] = await Promise.allSettled([runPostgres(), OwnRedis.create({ durable: false })]);
  const servers = {
    postgres: postgres.status === 'fulfilled' ? postgres.value : undefined,
    redis: redis.status === 'fulfilled' ? redis.value : undefined,
  };
  process.env['TEST_PG_ADMIN_URL'] = servers.postgres?.adminUrl;
  process.env['TEST_REDIS_URL'] = servers.redis?.url;
  const failed = [postgres, redis].filter((result) => result.status === 'rejected');
  if (failed.length === 0) return servers;
  await stopRunServers(servers);
  throw new AggregateError(
    failed.map((result) => result.reason as unknown),
    `The test servers could not be started: ${failed.map((result) => String(result.reason)).join('; ')}`,
  );
}

/**
 * It gets passwords as they are and hashes them once, not 4,096 times on both sides: a run makes about six thousand
 * connections. A wrong password is still refused.
 */
async function runPostgres(): Promise<OwnPostgres> {
  const postgres = await OwnPostgres.create({ durable: false });
  const { username, password } = new URL(postgres.adminUrl);
  await writeFile(join(postgres.dataFolder, 'pg_hba.conf'), 'host all all 127.0.0.1/32 password\n');
  await runSql(
    postgres.adminUrl,
    `set scram_iterations = 1; alter role ${username} password '${password}'; select pg_reload_conf()`,
  );
  return postgres;
}

export async function stopRunServers({ postgres, redis }: RunServers): Promise<void> {
  await Promise.all([postgres?.remove(), redis?.remove()]);
}
