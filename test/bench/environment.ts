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
  readonly env?: Readonly<Record<string, string>>;
  /** Maps PostgreSQL's port to the port that the product connects to; the same by default. */
  readonly postgresPort?: (port: number) => Promise<number>;
}

/**
 * The product as in production: an api and workers, each in its own process, on a PostgreSQL that syncs every commit
 * and a Redis with `appendfsync everysec`. Configuration and logs are the defaults; logs go to a file.
 */
export class BenchEnvironment {
  static async open({ backend, env = {}, postgresPort }: BenchEnvironmentOptions): Promise<BenchEnvironment> {
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
    if (postgresPort !== undefined) databaseUrl.port = String(await postgresPort(postgres.port));
    const adminKey = randomBytes(24).toString('hex');
    const environment = new BenchEnvironment(postgres, redis, folder, adminKey, {
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
      // All producers share one key.
      EVENT_REQUESTS_PER_SECOND: '1000000',
      ...env,
    });
    try {
      await promisify(execFile)(process.execPath, [join(DIST, 'api/migrate.js')], {
        env: environment.env,
      });
      await environment.sql.connect();
      await environment.sql.query('create extension pg_stat_statements');
      await environment.start('api');
      await environment.start('worker');
      return environment;
    } catch (error) {
      await environment.close();
      throw error;
    }
  }

  readonly sql: Client;
  readonly queue: Redis;
  private readonly running: { readonly role: Role; readonly command: RunningCommand }[] = [];
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

  /** The process id of the first process of this role; 0 if none runs. */
  pidOf(role: Role): number {
    return this.running.find((one) => one.role === role)?.command.pid ?? 0;
  }

  async start(role: Role): Promise<void> {
    const port = await freePort();
    const log = openSync(join(this.folder.path, `${role}.log`), 'a');
    const command = await RunningCommand.start({
      file: process.execPath,
      args: [...MEMORY_LIMITS, join(DIST, role, 'main.js')],
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

  async close(): Promise<void> {
    await Promise.all(this.running.map(({ command }) => command.end('SIGKILL')));
    this.queue.disconnect();
    await this.sql.end().catch(() => undefined);
    await Promise.all([this.postgres.remove(), this.redis.remove()]);
    await this.folder.remove();
  }

  /** Registers a consumer for each company. @returns their ids */
  async register(
    companies: readonly string[],
    ports: readonly number[],
    settings: Readonly<Record<string, unknown>>,
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
