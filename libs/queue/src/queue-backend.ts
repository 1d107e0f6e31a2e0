import { redisServers, type QueueConfig } from '#libs/config';
import { faultText } from '#libs/observability';
import { createPostgresBackend, Queue, setDefaultBackendFactory, type QueueOptions } from 'bullmq';
import { DELIVERIES_QUEUE } from './delivery-job.js';
import { openRedis } from './open-redis.js';
import { hashTag, shardNames } from './shards.js';

/** One of the queues that deliveries are spread over: what BullMQ's classes are given for it. */
export interface Shard {
  readonly name: string;
  readonly options: Pick<QueueOptions, 'connection' | 'prefix'>;
}

/** A backend chosen and connected: what BullMQ's classes are given, whichever it is. */
export interface QueueBackend {
  readonly shards: readonly Shard[];
  /** The shards as they would be, or were, if there were so many. */
  readonly shardsIfThereWere: (count: number) => readonly Shard[];
  /** Whether a command would be answered now; a command sent while Redis is away would wait in memory. */
  isReachable(): boolean;
  /** What must hold before the process is of use; Redis may be away at a start, and is waited for. */
  ready(part: { waitUntilReady(): Promise<unknown> }): Promise<void>;
  /** Calls back each time the backend can be reached again after it was lost. */
  onReconnect(listener: () => void): void;
  /** The server that must be up besides PostgreSQL; null where there is none. */
  readonly server: { readonly name: 'redis'; ping(): Promise<unknown>; lastFault(): string | null } | null;
  /** A word beside each shard that is lost when its content is; null where the queue lives and dies with PostgreSQL. */
  readonly marker: {
    read(shard: Shard): Promise<string | null>;
    write(shard: Shard, mark: string): Promise<void>;
    remove(shard: Shard): Promise<void>;
    /** Whether anything is there of a queue that may have no mark any more, or never had one. */
    isLeftOver(shard: Shard): Promise<boolean>;
  } | null;
  close(): Promise<void>;
}

/** Chooses the backend for the whole process; no code above this room knows which one it is. */
export function openQueueBackend(config: QueueConfig): QueueBackend {
  switch (config.backend) {
    case 'redis':
      return redisBackend(config);
    case 'postgres': {
      setDefaultBackendFactory(createPostgresBackend);
      const options = { connection: postgresConnection(config) };
      const shardsIfThereWere = (count: number): Shard[] =>
        shardNames(count).map((name) => ({ name, options }));
      return {
        shards: shardsIfThereWere(config.shards),
        shardsIfThereWere,
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
 * A command waits for the connection to come back, which is why `enqueue` asks `isReachable` first. On a Cluster a
 * shard's keys, its mark among them, share a slot: they live, move and are lost together.
 */
function redisBackend(config: QueueConfig): QueueBackend {
  setDefaultBackendFactory();
  const redis = openRedis(config.url);
  const isCluster = redisServers(config.url).kind === 'cluster';
  // ioredis throws without a listener; whoever sends a command hears of the fault there.
  let lastFault: string | null = null;
  redis.on('error', (error: Error) => (lastFault = faultText(error)));
  redis.on('ready', () => (lastFault = null));
  let lost = false;
  redis.on('close', () => (lost = true));
  const shardsIfThereWere = (count: number): Shard[] =>
    shardNames(count).map((name, number) => ({
      name,
      options: {
        connection: redis,
        prefix: isCluster ? hashTag(config.namespace, number) : config.namespace,
      },
    }));
  const shards = shardsIfThereWere(config.shards);
  const markerKey = ({ name, options }: Shard): string => `${options.prefix ?? ''}:marker:${name}`;
  return {
    shards,
    shardsIfThereWere,
    isReachable: () => redis.status === 'ready',
    ready: () => Promise.resolve(),
    onReconnect: (listener) => {
      redis.on('ready', () => {
        if (lost) listener();
        lost = false;
      });
    },
    server: {
      name: 'redis',
      // Of a Cluster every node that holds a shard must answer.
      ping: () =>
        isCluster ? Promise.all(shards.map((shard) => redis.exists(markerKey(shard)))) : redis.ping(),
      lastFault: () => lastFault,
    },
    marker: {
      read: (shard) => redis.get(markerKey(shard)),
      write: async (shard, mark) => void (await redis.set(markerKey(shard), mark)),
      remove: async (shard) => void (await redis.del(markerKey(shard))),
      // BullMQ counts each job under `id`; removed with the queue, it is there again after the next.
      isLeftOver: async (shard) =>
        (await redis.exists(markerKey(shard), `${shard.options.prefix ?? ''}:${shard.name}:id`)) > 0,
    },
    close: async () => {
      if (redis.status === 'ready') await redis.quit();
      else redis.disconnect();
    },
  };
}
