import type { QueueConfig } from '#libs/config';
import { postgresBackend, preparePostgres } from './postgres-backend.js';
import type { QueueBackend } from './queue-backend.js';
import { redisBackend } from './redis-backend.js';

/** Chooses the backend for the whole process; no code above this room knows which one it is. */
export function openQueueBackend(config: QueueConfig): QueueBackend {
  switch (config.backend) {
    case 'redis':
      return redisBackend(config);
    case 'postgres':
      return postgresBackend(config);
  }
}

/**
 * Makes what the backend needs before its first use: on PostgreSQL BullMQ's own tables, in their own schema.
 * Redis needs nothing. Run by the migration command and by the stand-alone process.
 */
export async function prepareQueueBackend(config: QueueConfig): Promise<void> {
  if (config.backend === 'postgres') await preparePostgres(config);
}
