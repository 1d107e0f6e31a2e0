import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiClient } from '#test/support/api-client';
import { freePort } from '#test/support/free-port';
import { MEMORY_LIMITS } from '#test/support/memory-limits';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';
import { RunningCommand } from '#test/support/running-command';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { waitUntil } from '#test/support/wait-until';
import { Redis } from 'ioredis';
import { Client } from 'pg';

const DIST = join(import.meta.dirname, '../../dist/apps');
const NAMESPACE = 'bench';

export type Role = 'api' | 'worker';
export type Backend = 'redis' | 'postgres';

export interface BenchEnvironmentOptions {
  readonly backend: Backend;
  /** Started with it; more with `start`. */
  readonly workers?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Given PostgreSQL's port, tells the one at which the processes reach it. */
  readonly postgresThrough?: (port: number) => Promise<number>;
}

/** How many jobs the queue holds, by state. */
export interface JobsInRedis {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

/**
 * The product as in production: an api and workers, each a process of its own, on a PostgreSQL that syncs every
 * commit and a Redis with `appendfsync everysec`. Default configuration and logs, which go to a file; consumers on the
 * loopback.
 */
export class BenchEnvironment {
  static async open({
    backend,
    workers = 0,
    env = {},
    postgresThrough,
  }: BenchEnvironmentOptions): Promise<BenchEnvironment> {
    const [postgres, redis, folder] = await Promise.all([
      OwnPostgres.create({
        durable: true,
        settings: {
          shared_buffers: '1GB',
          max_wal_size: '8GB',
          shared_preload_libraries: 'pg_stat_statements',
          'pg_stat_statements.track_utility': 'on',
        },
      }),
      OwnRedis.create({ fsync: 'everysec' }),
      temporaryFolder('bench'),
    ]);
    const databaseUrl = new URL(postgres.adminUrl);
    if (postgresThrough !== undefined) databaseUrl.port = String(await postgresThrough(postgres.port));
    const adminKey = randomBytes(24).toString('hex');
    const stand = new BenchEnvironment(postgres, redis, folder, adminKey, {
      PATH: process.env['PATH'] ?? '',
      HOST: '127.0.0.1',
      EGRESS_ALLOW: '127.0.0.0/8',
      ALLOW_HTTP: 'true',
      UV_THREADPOOL_SIZE: '32',
      DATABASE_URL: databaseUrl.href,
      QUEUE_BACKEND: backend,
      QUEUE_NAMESPACE: NAMESPACE,
      ...(backend === 'redis' ? { REDIS_URL: redis.url } : {}),
      SECRETS_KEYRING: `k1:${randomBytes(32).toString('base64')}`,
      ADMIN_API_KEY: adminKey,
      // One key posts for all producers.
      EVENT_REQUESTS_PER_SECOND: '1000000',
      ...env,
    });
    try {
      await promisify(execFile)(process.execPath, [join(DIST, 'api/src/migrate.js')], { env: stand.env });
      await stand.sql.connect();
      await stand.sql.query('create extension pg_stat_statements');
      await stand.start('api');
      for (let worker = 0; worker < workers; worker += 1) await stand.start('worker');
      return stand;
    } catch (error) {
      await stand.close();
      throw error;
    }
  }

  readonly sql: Client;
  readonly queue: Redis;
  private running: { readonly role: Role; readonly command: RunningCommand }[] = [];
  private apiUrl = '';

  private constructor(
    readonly postgres: OwnPostgres,
    readonly redis: OwnRedis,
    private readonly folder: TemporaryFolder,
    readonly adminKey: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.sql = new Client({ connectionString: postgres.adminUrl });
    this.queue = new Redis(redis.url);
  }

  get baseUrl(): string {
    return this.apiUrl;
  }

  get client(): ApiClient {
    return new ApiClient(this.apiUrl, this.adminKey);
  }

  /** Of the first one; 0 while none runs. */
  pidOf(role: Role): number {
    return this.running.find((one) => one.role === role)?.command.pid ?? 0;
  }

  async jobs(): Promise<JobsInRedis> {
    const key = (state: string): string => `${NAMESPACE}:deliveries:${state}`;
    const [waiting, active, delayed] = await Promise.all([
      this.queue.llen(key('wait')),
      this.queue.llen(key('active')),
      this.queue.zcard(key('delayed')),
    ]);
    return { waiting, active, delayed };
  }

  async start(role: Role): Promise<void> {
    const port = await freePort();
    const log = openSync(join(this.folder.path, `${role}.log`), 'a');
    const command = await RunningCommand.start({
      file: process.execPath,
      args: [...MEMORY_LIMITS, join(DIST, role, 'src/main.js')],
      env: { ...this.env, PORT: String(port) },
      stdout: log,
    });
    closeSync(log);
    this.running.push({ role, command });
    const url = `http://127.0.0.1:${String(port)}`;
    if (role === 'api') this.apiUrl = url;
    await waitUntil(async () => (await fetch(`${url}/readyz`)).ok, {
      deadlineMs: 30_000,
      what: () => `the ${role} to be ready. Its output:\n${command.output}`,
    });
  }

  /** Stops all of that kind, as an operator would. */
  async stop(role: Role): Promise<void> {
    const stopped = this.running.filter((one) => one.role === role);
    this.running = this.running.filter((one) => one.role !== role);
    await Promise.all(stopped.map(({ command }) => command.end('SIGTERM', 30_000)));
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map(({ command }) => command.end('SIGKILL')));
    this.queue.disconnect();
    await this.sql.end().catch(() => undefined);
    await Promise.all([this.postgres.remove(), this.redis.remove()]);
    await this.folder.remove();
  }

  /** Registers a consumer for each port; its company is its name. */
  async register(
    companies: readonly string[],
    ports: readonly number[],
    settings: Readonly<Record<string, unknown>> = {},
  ): Promise<string[]> {
    const ids: string[] = [];
    for (const [index, company] of companies.entries()) {
      const { id } = await this.client.registerConsumer({
        name: company,
        url: `http://127.0.0.1:${String(ports[index % ports.length])}/hooks/payments`,
        eventTypes: ['ach.status', 'wire.status'],
        achCompanyIds: [company],
        wireCompanyIds: [company],
        credentials: { username: 'bank', password: 'secret of the bank' },
        ...settings,
      });
      ids.push(id);
    }
    return ids;
  }
}
