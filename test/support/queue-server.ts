import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { QueueConfig } from '#libs/config';
import { prepareQueueBackend } from '#libs/queue';
import { Client } from 'pg';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';

export const QUEUE_SERVERS = ['redis', 'postgres'] as const;

/** A server for one test that holds only one queue. */
export interface QueueServer {
  readonly config: QueueConfig;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Suspends the server, which keeps its connections. @returns a function that resumes it */
  suspend(): Promise<() => void>;
  /** Deletes every job and its history at once, as an operator might do. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts a server and prepares it for the queue. The caller calls `remove`. */
export async function queueServer(kind: (typeof QUEUE_SERVERS)[number]): Promise<QueueServer> {
  const namespace = `q${randomUUID().replaceAll('-', '')}`;
  switch (kind) {
    case 'redis': {
      const redis = await OwnRedis.create({ durable: false });
      return {
        config: { backend: 'redis', url: redis.url, namespace },
        start: () => redis.start(),
        stop: () => redis.stop(),
        suspend: () => suspendProcess(redis.pid),
        empty: () => redis.asked(async (asked) => void (await asked.flushall())),
        remove: () => redis.remove(),
      };
    }
    case 'postgres': {
      const postgres = await OwnPostgres.create({ durable: false });
      const config = { backend: 'postgres', url: postgres.adminUrl, namespace } as const;
      await prepareQueueBackend(config);
      return {
        config,
        start: () => postgres.start(),
        stop: () => postgres.stop(),
        suspend: () => suspendProcess(postgres.pid),
        empty: () => truncate(config.url, namespace),
        remove: () => postgres.remove(),
      };
    }
  }
}

async function truncate(url: string, schema: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `truncate ${schema}.job, ${schema}.dedup, ${schema}.dedup_next, ${schema}.event restart identity cascade`,
    );
    await client.query(`alter sequence ${schema}.job_seq restart`);
  } finally {
    await client.end();
  }
}

/** Suspends a process and its children. */
async function suspendProcess(pid: number): Promise<() => void> {
  const children = await promisify(execFile)('pgrep', ['-P', String(pid)]).then(
    ({ stdout }) => stdout.trim().split('\n').map(Number),
    () => [],
  );
  const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => {
    for (const each of [pid, ...children]) process.kill(each, name);
  };
  signal('SIGSTOP');
  return () => signal('SIGCONT');
}
