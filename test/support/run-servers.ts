import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';

export interface RunServers {
  readonly postgres: OwnPostgres | undefined;
  readonly redis: OwnRedis | undefined;
}

/**
 * Starts the servers that all test files of a run share, and sets their URLs in the environment.
 * @throws AggregateError when one could not be started; the other one is then stopped
 */
export async function startRunServers(): Promise<RunServers> {
  const [postgres, redis] = await Promise.allSettled([
    OwnPostgres.create({ durable: false }),
    OwnRedis.create({ durable: false }),
  ]);
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

export async function stopRunServers({ postgres, redis }: RunServers): Promise<void> {
  await Promise.all([postgres?.remove(), redis?.remove()]);
}
