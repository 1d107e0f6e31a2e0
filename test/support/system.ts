import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Role } from '#libs/contracts';
import { afterFile } from '#test/support/after-file';
import { ApiClient } from '#test/support/api-client';
import { RunningCommand } from '#test/support/running-command';
import { startProcess, type ProcessOptions, type StartedProcess } from '#test/support/started-process';
import { createTestDatabase } from '#test/support/test-database';

export type QueueBackendName = 'redis' | 'postgres';

/**
 * The queue backends of a spec that demands the same of both: Redis in `npm test`, PostgreSQL in `npm run test:long`.
 * test/integration/queue.spec.ts and queue-timers.spec.ts test both for the same behaviour.
 */
export const QUEUE_BACKENDS: readonly QueueBackendName[] =
  process.env['LONG_TESTS'] === 'true' ? ['postgres'] : ['redis'];

export interface SystemOptions {
  backend: QueueBackendName;
  /** How many workers to start with. */
  workers?: number;
  /** A database to migrate and use. By default a new one on the run's server. */
  databaseUrl?: string;
  /** By default the run's Redis. */
  redisUrl?: string;
  /** The api's port. By default a free one. */
  port?: number;
  /** The keys that encrypt credentials. By default a new one. */
  keyring?: string;
  /** The old generation's limit of its first api, in MiB. By default production's. */
  apiHeapMiB?: number;
  /** More of its processes' environment. */
  env?: Readonly<Record<string, string>>;
  /** Use `System.shared`. */
  isShared?: boolean;
}

const MIGRATE = join(import.meta.dirname, '../../dist/apps/api/migrate.js');

/** Settings of every process of the tests: consumers on the loopback over http, and short intervals. */
export const TEST_ENVIRONMENT = {
  EGRESS_ALLOW: '127.0.0.0/8',
  ALLOW_HTTP: 'true',
  TRUSTED_PROXIES: '127.0.0.0/8',
  RECONCILE_INTERVAL_MS: '2000',
  OTHER_REQUESTS_PER_SECOND: '1000000',
} as const;

/** A key for a keyring, with this id. */
export const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

/** The product as it runs in production: an api and workers, each a process of its own. */
export class System {
  private static readonly sharedByWorkers = new Map<number, Promise<System>>();
  private readonly running: StartedProcess[] = [];

  /**
   * The system that the files of this test process use one after the other: with Redis and ordinary settings. A file
   * that uses it makes its own consumers, companies and keys, expects foreign records in lists, and leaves sending on.
   */
  static shared(workers: 0 | 1): Promise<System> {
    const known = System.sharedByWorkers.get(workers);
    if (known !== undefined) return known;
    const started = System.start({ backend: 'redis', workers, isShared: true });
    System.sharedByWorkers.set(workers, started);
    return started;
  }

  /**
   * Starts api and workers, which end after the last test of the file. A new database is a copy of a migrated one. The product's `migrate`
   * command adds the schema to a given database, and the queue's schema where the queue is on PostgreSQL.
   */
  static async start(options: SystemOptions): Promise<System> {
    const { backend, workers = 1, redisUrl = process.env['TEST_REDIS_URL'], isShared = false } = options;
    const database = options.databaseUrl === undefined ? await createTestDatabase() : undefined;
    const adminKey = randomBytes(24).toString('hex');
    const env = {
      ...TEST_ENVIRONMENT,
      DATABASE_URL: options.databaseUrl ?? database?.url ?? '',
      QUEUE_BACKEND: backend,
      QUEUE_NAMESPACE: `e2e_${randomBytes(8).toString('hex')}`,
      ...(backend === 'redis' && redisUrl !== undefined ? { REDIS_URL: redisUrl } : {}),
      SECRETS_KEYRING: options.keyring ?? newKey('k1'),
      ADMIN_API_KEY: adminKey,
      ...options.env,
    };
    if (database === undefined || backend === 'postgres') {
      await promisify(execFile)(process.execPath, [MIGRATE], { env });
    }
    const api = await startProcess({
      app: 'api',
      env,
      outlivesFile: isShared,
      ...(options.port === undefined ? {} : { port: options.port }),
      ...(options.apiHeapMiB === undefined ? {} : { heapMiB: options.apiHeapMiB }),
    });
    const system = new System(
      api,
      new ApiClient(api.baseUrl, adminKey),
      adminKey,
      env,
      async () => database?.drop(),
      isShared,
    );
    afterFile(() => system.stop());
    await Promise.all([
      api.waitForReady(),
      ...Array.from({ length: workers }, async () => system.startWorker()),
    ]);
    return system;
  }

  private constructor(
    public api: StartedProcess,
    readonly client: ApiClient,
    readonly adminKey: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly dropDatabase: () => Promise<void>,
    private readonly isShared: boolean,
  ) {
    this.running.push(api);
  }

  get databaseUrl(): string {
    return this.env['DATABASE_URL'] ?? '';
  }

  /** What its keys in Redis begin with. */
  get queueNamespace(): string {
    return this.env['QUEUE_NAMESPACE'] ?? '';
  }

  /** A client with a new key of these roles. Producers of one name see each other's events. */
  async clientOf(
    roles: readonly Role[],
    name = `${roles.join(' and ')} ${randomUUID()}`,
  ): Promise<ApiClient> {
    const { body } = await this.client.call<{ key: string }>('POST', '/v1/api-keys', { name, roles });
    return new ApiClient(this.api.baseUrl, body.key);
  }

  /** The workers that run, in the order in which they were started. */
  get workers(): StartedProcess[] {
    return this.running.filter((process) => process.app === 'worker' && process.isRunning);
  }

  /** Starts an api on the port of the former one, which has ended; `env` is added to the system's environment. */
  async replaceApi(env: Readonly<Record<string, string>> = {}): Promise<StartedProcess> {
    this.api = await this.startAgain(this.api, env);
    return this.api;
  }

  /** Starts one more worker and returns when it consumes; `env` is added to the system's environment. */
  startWorker(env: Readonly<Record<string, string>> = {}): Promise<StartedProcess> {
    return this.startOneMore({ app: 'worker', env });
  }

  /** Starts another api in addition to `api`, and returns when it is ready. */
  startApi(): Promise<StartedProcess> {
    return this.startOneMore({ app: 'api' });
  }

  /** Starts a process again on the port of the former one, which has ended; `env` is added to the system's environment. */
  startAgain(
    { app, port }: StartedProcess,
    env: Readonly<Record<string, string>> = {},
  ): Promise<StartedProcess> {
    return this.startOneMore({ app, port, env });
  }

  private async startOneMore({ env, ...where }: ProcessOptions): Promise<StartedProcess> {
    const process = await startProcess({
      ...where,
      env: { ...this.env, ...env },
      outlivesFile: this.isShared,
    });
    this.running.push(process);
    return process.waitForReady();
  }

  /** Starts one of the product's commands, such as `reencrypt`, in the environment of its workers. */
  startCommand(
    name: string,
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<RunningCommand> {
    const file = join(import.meta.dirname, `../../dist/apps/api/${name}.js`);
    return RunningCommand.start({
      file: process.execPath,
      args: [file, ...args],
      env: { ...this.env, ...env },
    });
  }

  /** Kills its processes, unless the next files use them too. */
  async stop(): Promise<void> {
    if (this.isShared) return;
    await Promise.all(this.running.map((process) => process.kill('SIGKILL')));
    await this.dropDatabase();
  }
}
