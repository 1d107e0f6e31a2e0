import type { QueueConfig } from '#libs/config';
import { clientFor } from '#libs/postgres';
import { PostgresConnection, setDefaultBackendFactory } from 'bullmq';
import { LOCK_BY_POSTGRES_CLOCK, reconnectingPostgres } from './reconnecting-postgres.js';
import type { QueueBackend } from './queue-backend.js';

/** Limits of each of BullMQ's pools, one per queue and worker: a vanished server must not block them forever. */
const LIMITS = {
  max: 4,
  connectionTimeoutMillis: 3_000,
  query_timeout: 20_000,
  statement_timeout: 15_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

const connectionTo = (config: QueueConfig) => ({
  connectionString: config.url,
  Client: clientFor(config.url),
  schema: config.namespace,
  ...LIMITS,
});

/** The queue on PostgreSQL; it counts as reachable, since nothing works without PostgreSQL. */
export function postgresBackend(config: QueueConfig): QueueBackend {
  setDefaultBackendFactory(reconnectingPostgres);
  return {
    options: { connection: connectionTo(config) },
    // Replacing two timers in one transaction can deadlock with a worker that moves both to the due jobs. A deadlock
    // costs a second, and the affected sessions lose their jobs.
    maxTimersPerCall: 1,
    isReachable: () => true,
    ready: async (part) => void (await part.waitUntilReady()),
    onReconnect: () => undefined,
    messages: null,
    server: null,
    close: () => Promise.resolve(),
  };
}

/** Creates BullMQ's tables, or migrates them to the current version. */
export async function preparePostgres(config: QueueConfig): Promise<void> {
  const connection = new PostgresConnection({ ...connectionTo(config), migrate: true });
  // Without a listener BullMQ would print errors of a closing connection. Errors before that reject `waitUntilReady`.
  connection.on('error', () => undefined);
  try {
    await connection.waitUntilReady();
    await connection.pool.query(LOCK_BY_POSTGRES_CLOCK);
  } finally {
    await connection.close();
  }
}
