import type { QueueConfig } from '#libs/config';
import { createPostgresBackend, Queue, setDefaultBackendFactory, type QueueOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { DELIVERIES_QUEUE } from './delivery-job.js';

/** A backend chosen and connected: what BullMQ's classes are given, whichever it is. */
export interface QueueBackend {
  readonly options: Pick<QueueOptions, 'connection' | 'prefix'>;
  /** Whether a command would be answered now; a command sent while Redis is away would wait in memory. */
  isReachable(): boolean;
  /** What must hold before the process is of use; Redis may be away at a start, and is waited for. */
  ready(part: { waitUntilReady(): Promise<unknown> }): Promise<void>;
  /** Calls back each time the backend can be reached again after it was lost. */
  onReconnect(listener: () => void): void;
  /** The server that must be up besides PostgreSQL; null where there is none. */
  readonly server: { readonly name: 'redis'; ping(): Promise<unknown>; lastFault(): string | null } | null;
  /** A word that is lost when the queue's content is; null where the queue lives and dies with PostgreSQL. */
  readonly marker: { read(): Promise<string | null>; write(mark: string): Promise<void> } | null;
  close(): Promise<void>;
}

/** Chooses the backend for the whole process; no code above this room knows which one it is. */
export function openQueueBackend(config: QueueConfig): QueueBackend {
  switch (config.backend) {
    case 'redis':
      return openRedis(config);
    case 'postgres':
      setDefaultBackendFactory(createPostgresBackend);
      return {
        options: { connection: postgresConnection(config) },
        isReachable: () => true,
        // BullMQ keeps the failure of a first connection for good: better not to start than to look alive.
        ready: async (part) => void (await part.waitUntilReady()),
        onReconnect: () => undefined,
        server: null,
        marker: null,
        close: () => Promise.resolve(),
      };
  }
}

/**
 * Makes what the backend needs before its first use: on PostgreSQL BullMQ's own tables, in their own schema.
 * Redis needs nothing. Run by the migration command and by stand-alone.
 */
export async function prepareQueueBackend(config: QueueConfig): Promise<void> {
  if (config.backend === 'redis') return;
  setDefaultBackendFactory(createPostgresBackend);
  const queue = new Queue(DELIVERIES_QUEUE, { connection: { ...postgresConnection(config), migrate: true } });
  try {
    await queue.waitUntilReady();
  } finally {
    await queue.close();
  }
}

/** BullMQ opens a pool for each queue and worker; without limits a server that vanished would hold them for ever. */
const POSTGRES_LIMITS = {
  max: 4,
  connectionTimeoutMillis: 3_000,
  query_timeout: 20_000,
  statement_timeout: 15_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

function postgresConnection(config: QueueConfig) {
  return { connectionString: config.url, schema: config.namespace, ...POSTGRES_LIMITS };
}

/**
 * BullMQ duplicates this connection for its blocking reads. `maxRetriesPerRequest: null` is BullMQ's demand: a
 * command waits for the connection to come back, which is why `enqueue` asks `isReachable` first.
 */
function openRedis(config: QueueConfig): QueueBackend {
  setDefaultBackendFactory();
  const redis = new Redis(config.url, { maxRetriesPerRequest: null });
  // ioredis throws without a listener; whoever sends a command hears of the fault there.
  let lastFault: string | null = null;
  redis.on('error', (error: Error) => (lastFault = error.message === '' ? error.name : error.message));
  redis.on('ready', () => (lastFault = null));
  const markerKey = `${config.namespace}:marker`;
  let lost = false;
  redis.on('close', () => (lost = true));
  return {
    options: { connection: redis, prefix: config.namespace },
    isReachable: () => redis.status === 'ready',
    ready: () => Promise.resolve(),
    onReconnect: (listener) => {
      redis.on('ready', () => {
        if (lost) listener();
        lost = false;
      });
    },
    server: { name: 'redis', ping: () => redis.ping(), lastFault: () => lastFault },
    marker: {
      read: () => redis.get(markerKey),
      write: async (mark) => void (await redis.set(markerKey, mark)),
    },
    close: async () => {
      if (redis.status === 'ready') await redis.quit();
      else redis.disconnect();
    },
  };
}
