import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { LogReader } from '#test/chaos/log-reader';
import { SupervisedProcess } from '#test/chaos/supervised-process';
import { freePort } from '#test/support/free-port';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';

export interface StageOptions {
  readonly backend: 'redis' | 'postgres';
  /** The folder with `dist/` and package.json. */
  readonly build: string;
}

/** The system as it runs in production, on one machine: two apis, two workers, PostgreSQL and Redis of its own. */
export class Stage {
  readonly adminKey = randomBytes(24).toString('hex');
  readonly log = new LogReader();

  /** Starts the servers, migrates, and starts the processes. Call `close` afterwards. */
  static async open(options: StageOptions): Promise<Stage> {
    const [postgres, redis] = await Promise.all([
      OwnPostgres.create(),
      options.backend === 'redis' ? OwnRedis.create({ durable: true }) : undefined,
    ]);
    const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
    const stage = new Stage(options, postgres, redis, ports);
    try {
      const env = stage.environment;
      await promisify(execFile)(process.execPath, [join(options.build, 'dist/apps/api/src/migrate.js')], {
        env,
      });
      await Promise.all(stage.processes.map((process) => process.start()));
      await stage.allReady();
      return stage;
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  readonly apis: readonly SupervisedProcess[];
  readonly workers: readonly SupervisedProcess[];
  private readonly environment: Readonly<Record<string, string>>;

  private constructor(
    { backend, build }: StageOptions,
    readonly postgres: OwnPostgres,
    readonly redis: OwnRedis | undefined,
    ports: readonly number[],
  ) {
    this.environment = {
      EGRESS_ALLOW: '127.0.0.0/8',
      ALLOW_HTTP: 'true',
      RECONCILE_INTERVAL_MS: '1000',
      DATABASE_URL: postgres.url('postgres'),
      QUEUE_BACKEND: backend,
      QUEUE_NAMESPACE: `chaos_${randomBytes(6).toString('hex')}`,
      ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
      SECRETS_KEYRING: `k1:${randomBytes(32).toString('base64')}`,
      ADMIN_API_KEY: this.adminKey,
    };
    const processes = (['api', 'api', 'worker', 'worker'] as const).map(
      (app, index) =>
        new SupervisedProcess({
          app,
          name: `${app} ${index % 2}`,
          port: ports[index] ?? 0,
          build,
          env: this.environment,
          onLine: (line) => this.log.read(line),
        }),
    );
    this.apis = processes.slice(0, 2);
    this.workers = processes.slice(2);
  }

  get processes(): readonly SupervisedProcess[] {
    return [...this.apis, ...this.workers];
  }

  /** Resolves when every process is ready. */
  async allReady(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.ready()));
  }

  /** Asks PostgreSQL over a connection of its own. */
  async ask<Row extends object>(question: string, values: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: this.postgres.adminUrl, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(question, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** One command to Redis. */
  async tellRedis(command: string, ...args: string[]): Promise<void> {
    if (this.redis === undefined) return;
    const connection = new Redis(this.redis.url, { maxRetriesPerRequest: 3 });
    connection.on('error', () => undefined);
    try {
      await connection.call(command, ...args);
    } finally {
      connection.disconnect();
    }
  }

  /** Ends every process and server. */
  async close(): Promise<void> {
    await Promise.allSettled(this.processes.map((process) => process.close()));
    await Promise.allSettled([this.postgres.remove(), this.redis?.remove()]);
  }
}
