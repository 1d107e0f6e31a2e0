import type { QueueConfig } from '#libs/config';
import { createPostgresBackend, Queue, setDefaultBackendFactory } from 'bullmq';
import { DELIVERIES_QUEUE } from './delivery-jobs.js';
import { reconnectingPostgres } from './reconnecting-postgres.js';
import type { QueueBackend } from './queue-backend.js';

/** BullMQ opens a pool for each queue and worker; without limits a server that vanished would hold them for ever. */
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
  schema: config.namespace,
  ...LIMITS,
});

/** The queue lives in PostgreSQL and is reached when that is. */
export function postgresBackend(config: QueueConfig): QueueBackend {
  setDefaultBackendFactory(reconnectingPostgres);
  return {
    options: { connection: connectionTo(config) },
    // Replacing two timers in one transaction, while a worker moves both to those that are due, may be a deadlock: each
    // costs a second, and the sessions that it meets their job.
    mostTimersInBulk: 1,
    isReachable: () => true,
    ready: async (part) => void (await part.waitUntilReady()),
    onReconnect: () => undefined,
    server: null,
    close: () => Promise.resolve(),
  };
}

/** Makes BullMQ's tables, or brings them up to date. */
export async function preparePostgres(config: QueueConfig): Promise<void> {
  const connection = { ...connectionTo(config), migrate: true };
  const queue = new Queue(DELIVERIES_QUEUE, { connection }, createPostgresBackend);
  // A caller that waits gets the error; an error of a connection that is being closed is ignored, since BullMQ would print it.
  queue.on('error', () => undefined);
  try {
    await queue.waitUntilReady();
  } finally {
    await queue.close();
  }
}
