import type { QueueConfig } from '#libs/config';
import { postgresBackend, preparePostgres } from './postgres-backend.js';
import type { QueueBackend } from './queue-backend.js';
import { redisBackend } from './redis-backend.js';

/** Opens the configured backend for the whole process. Only this package depends on which one it is. */
export function openQueueBackend(config: QueueConfig): QueueBackend {
  switch (config.backend) {
    case 'redis':
      return redisBackend(config);
    case 'postgres':
      return postgresBackend(config);
  }
}

/**
 * Prepares the backend for its first use: on PostgreSQL it creates BullMQ's own tables, in their own schema. Redis
 * needs nothing. The migration command and the stand-alone process call it.
 */
export async function prepareQueueBackend(config: QueueConfig): Promise<void> {
  if (config.backend === 'postgres') await preparePostgres(config);
}
