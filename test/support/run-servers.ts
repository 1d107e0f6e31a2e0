import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';

interface RunServers {
  postgres?: OwnPostgres;
  redis?: OwnRedis;
}

/** Setup and teardown are loaded apart; what the one started the other finds here. */
const KEY = Symbol.for('dispatcher.test.run-servers');
const holder: typeof globalThis & { [KEY]?: RunServers } = globalThis;

/** Starts the servers that all test files of a run have in common, and puts their addresses in the environment. */
export async function startRunServers(): Promise<void> {
  const servers: RunServers = {};
  holder[KEY] = servers;
  const started = await Promise.allSettled([startPostgres(servers), startRedis(servers)]);
  const failed = started.filter((result) => result.status === 'rejected');
  if (failed.length === 0) return;
  await stopRunServers();
  throw new AggregateError(
    failed.map((result) => result.reason as unknown),
    `The test servers could not be started: ${failed.map((result) => String(result.reason)).join('; ')}`,
  );
}

async function startPostgres(servers: RunServers): Promise<void> {
  servers.postgres = await OwnPostgres.create({ durable: false });
  process.env['TEST_PG_ADMIN_URL'] = servers.postgres.adminUrl;
}

async function startRedis(servers: RunServers): Promise<void> {
  servers.redis = await OwnRedis.create({ durable: false });
  process.env['TEST_REDIS_URL'] = servers.redis.url;
}

/** Ends what was started, however little that was. */
export async function stopRunServers(): Promise<void> {
  const { postgres, redis } = holder[KEY] ?? {};
  delete holder[KEY];
  await Promise.all([postgres?.remove(), redis?.remove()]);
}
