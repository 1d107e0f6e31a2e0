import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';

/**
 * `tuned`: PostgreSQL 18 with more memory and Redis with `appendfsync everysec`, as the operator guide advises.
 * `debian`: PostgreSQL 15 and Redis of Debian 12 with their defaults. Both PostgreSQL servers sync every commit.
 */
export const SERVERS = ['tuned', 'debian'] as const;
export type Servers = (typeof SERVERS)[number];

export interface StartedServers {
  readonly postgres: OwnPostgres;
  readonly redis: OwnRedis;
  /** Whether PostgreSQL can count statements (`pg_stat_statements`). */
  readonly countStatements: boolean;
  remove(): Promise<void>;
}

const DEBIAN_POSTGRES = '/usr/lib/postgresql/15/bin';

/** Starts both servers, each empty. */
export async function startServers(kind: Servers): Promise<StartedServers> {
  const [postgres, redis] = await Promise.all(kind === 'tuned' ? tuned() : debian());
  return {
    postgres,
    redis,
    countStatements: kind === 'tuned',
    remove: async () => {
      await Promise.all([postgres.remove(), redis.remove()]);
    },
  };
}

const tuned = (): [Promise<OwnPostgres>, Promise<OwnRedis>] => [
  OwnPostgres.create({
    settings: {
      shared_buffers: '1GB',
      max_wal_size: '8GB',
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.track_utility': 'on',
    },
  }),
  OwnRedis.create({ fsync: 'everysec' }),
];

const debian = (): [Promise<OwnPostgres>, Promise<OwnRedis>] => [
  OwnPostgres.create({ programs: DEBIAN_POSTGRES, settings: { max_connections: 100 } }),
  OwnRedis.create({ durable: false, settings: { save: '3600 1 300 100 60 10000' } }),
];
