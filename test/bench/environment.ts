import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiClient } from '#test/support/api-client';
import { insertConsumers, type ConsumerLimits } from '#test/bench/insert-consumers';
import { startServers, type Servers, type StartedServers } from '#test/bench/servers';
import type { ProcessGroups } from '#test/bench/usage';
import { freePort } from '#test/support/free-port';
import { MEMORY_LIMITS } from '#test/support/memory-limits';
import { RunningCommand } from '#test/support/running-command';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { waitUntil } from '#test/support/wait-until';
import { Redis } from 'ioredis';
import { Client } from 'pg';

/** The processes of this checkout. */
export const OWN_DIST = join(import.meta.dirname, '../../dist/apps');
const NAMESPACE = 'bench';

export type Role = 'api' | 'worker';
export type Backend = 'redis' | 'postgres';

/** Which build is measured, and on which servers. */
export interface Product {
  /** The folder with a build's `api` and `worker`: `dist/apps` of this checkout or of another one. */
  readonly dist: string;
  readonly servers: Servers;
}

export interface BenchEnvironmentOptions extends Product {
  readonly backend: Backend;
  readonly env?: Readonly<Record<string, string>>;
  /** Maps PostgreSQL's port to the port that the product connects to; the same by default. */
  readonly postgresPort?: (port: number) => Promise<number>;
}

/**
 * The product as in production: an api and workers, each in its own process, on an empty database. Configuration and logs
 * are the defaults; logs go to a file.
 */
export class BenchEnvironment {
  static async open(options: BenchEnvironmentOptions): Promise<BenchEnvironment> {
    const { backend, dist, env = {}, postgresPort } = options;
    const [servers, folder] = await Promise.all([startServers(options.servers), temporaryFolder('bench')]);
    const { postgres, redis } = servers;
    const databaseUrl = new URL(postgres.adminUrl);
    if (postgresPort !== undefined) databaseUrl.port = String(await postgresPort(postgres.port));
    const adminKey = randomBytes(24).toString('hex');
    const keyring = `k1:${randomBytes(32).toString('base64')}`;
    const environment = new BenchEnvironment(
      servers,
      folder,
      { dist, adminKey, keyring },
      {
        PATH: process.env['PATH'] ?? '',
        HOST: '127.0.0.1',
        EGRESS_ALLOW: '127.0.0.0/8',
        ALLOW_HTTP: 'true',
        UV_THREADPOOL_SIZE: '32',
        DATABASE_URL: databaseUrl.href,
        QUEUE_BACKEND: backend,
        QUEUE_NAMESPACE: NAMESPACE,
        ...(backend === 'redis' ? { REDIS_URL: redis.url } : {}),
        SECRETS_KEYRING: keyring,
        ADMIN_API_KEY: adminKey,
        // All producers share one key.
        EVENT_REQUESTS_PER_SECOND: '1000000',
        ...env,
      },
    );
    try {
      await promisify(execFile)(process.execPath, [join(dist, 'api/migrate.js')], {
        env: environment.env,
      });
      await environment.sql.connect();
      if (servers.countStatements) await environment.sql.query('create extension pg_stat_statements');
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
  private readonly running: {
    readonly role: Role;
    readonly command: RunningCommand;
    readonly url: string;
  }[] = [];

  private constructor(
    readonly servers: StartedServers,
    private readonly folder: TemporaryFolder,
    private readonly given: { readonly dist: string; readonly adminKey: string; readonly keyring: string },
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.sql = new Client({ connectionString: servers.postgres.adminUrl });
    this.queue = new Redis(servers.redis.url);
  }

  get baseUrl(): string {
    return this.urlOf('api');
  }

  get adminKey(): string {
    return this.given.adminKey;
  }

  get client(): ApiClient {
    return new ApiClient(this.baseUrl, this.adminKey);
  }

  /** The process ids of the product and its servers. */
  get processes(): ProcessGroups {
    return {
      api: this.pidsOf('api'),
      worker: this.pidsOf('worker'),
      postgres: [this.servers.postgres.pid],
      redis: [this.servers.redis.pid],
    };
  }

  /** The process id of the first process of this role; 0 if none runs. */
  pidOf(role: Role): number {
    return this.pidsOf(role)[0] ?? 0;
  }

  /** The address of the newest process of this role. */
  urlOf(role: Role): string {
    return this.running.findLast((one) => one.role === role)?.url ?? '';
  }

  async start(role: Role): Promise<void> {
    const port = await freePort();
    const log = openSync(join(this.folder.path, `${role}.log`), 'a');
    const command = await RunningCommand.start({
      file: process.execPath,
      args: [...MEMORY_LIMITS, join(this.given.dist, role, 'main.js')],
      env: { ...this.env, PORT: String(port) },
      stdout: log,
    });
    closeSync(log);
    const url = `http://127.0.0.1:${String(port)}`;
    this.running.push({ role, command, url });
    await waitUntil(async () => (await fetch(`${url}/readyz`)).ok, {
      deadlineMs: 30_000,
      what: () => `the ${role} to be ready. Its output:\n${command.output}`,
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map(({ command }) => command.end('SIGKILL')));
    this.queue.disconnect();
    await this.sql.end().catch(() => undefined);
    await this.servers.remove();
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

  /** Inserts consumers of one port directly into the tables, because thousands take minutes over HTTP. */
  insertConsumers(companies: readonly string[], port: number, settings: ConsumerLimits): Promise<string[]> {
    return insertConsumers(this.sql, this.given.keyring, {
      companies,
      url: `http://127.0.0.1:${String(port)}/hooks/payments`,
      ...settings,
    });
  }

  private pidsOf(role: Role): number[] {
    return this.running.flatMap((one) => (one.role === role ? [one.command.pid] : []));
  }
}
