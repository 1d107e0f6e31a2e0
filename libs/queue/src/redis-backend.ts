import { within } from '#libs/contracts';
import { redisServers, type QueueConfig } from '#libs/config';
import { faultText } from '#libs/observability';
import { setDefaultBackendFactory } from 'bullmq';
import { DELIVERIES_QUEUE, MAX_JOBS_PER_CALL } from './delivery-jobs.js';
import { openRedis } from './open-redis.js';
import type { QueueBackend } from './queue-backend.js';

const CLOSE_WITHIN_MS = 2_000;

/** The queue on Redis. Without a connection a command waits in memory, so callers check `isReachable` first. */
export function redisBackend(config: QueueConfig): QueueBackend {
  setDefaultBackendFactory();
  const redis = openRedis(config.url);
  const isCluster = redisServers(config.url).kind === 'cluster';
  // Each of BullMQ's scripts uses many keys: on a Cluster one hash tag keeps them in one slot.
  const prefix = isCluster ? `{${config.namespace}}` : config.namespace;
  const channel = `${prefix}:events`;
  // Without a listener ioredis prints errors. The caller of each command gets its error anyway.
  let lastFault: string | null = null;
  redis.on('error', (error: Error) => (lastFault = faultText(error)));
  redis.on('ready', () => (lastFault = null));
  let lost = false;
  let listening: ReturnType<typeof openRedis> | null = null;
  redis.on('close', () => (lost = true));
  return {
    options: { connection: redis, prefix },
    maxTimersPerCall: MAX_JOBS_PER_CALL,
    isReachable: () => redis.status === 'ready',
    ready: () => Promise.resolve(),
    onReconnect: (listener) => {
      redis.on('ready', () => {
        if (lost) listener();
        lost = false;
      });
    },
    messages: {
      publish: (text) => {
        if (redis.status === 'ready') redis.publish(channel, text).catch(() => undefined);
      },
      listen: (listener) => {
        // Redis needs a connection of its own for this.
        const connection = openRedis(config.url);
        listening = connection;
        // Its faults are those of the other connection, which are logged.
        connection.on('error', () => undefined);
        connection.on('message', (_channel: string, text: string) => listener(text));
        // After a lost connection ioredis subscribes again.
        let isSubscribed = false;
        connection.subscribe(channel).then(
          () => (isSubscribed = true),
          () => undefined,
        );
        return () => isSubscribed && connection.status === 'ready';
      },
    },
    server: {
      name: 'redis',
      // On a Cluster the node that has the queue must answer.
      ping: () => (isCluster ? redis.exists(`${prefix}:${DELIVERIES_QUEUE}:meta`) : redis.ping()),
      lastFault: () => lastFault,
    },
    close: async () => {
      // QUIT is answered after all earlier commands. A server that does not answer must not keep the process alive.
      if (redis.status === 'ready')
        await within(
          CLOSE_WITHIN_MS,
          redis.quit().catch(() => undefined),
        );
      redis.disconnect();
      listening?.disconnect();
    },
  };
}
