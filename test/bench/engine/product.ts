import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiClient } from '#test/support/api-client';
import { freePort } from '#test/support/free-port';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';
import { RunningCommand } from '#test/support/running-command';
import { waitUntil } from '#test/support/wait-until';
import { Redis } from 'ioredis';
import { Client } from 'pg';

const DIST = join(import.meta.dirname, '../../../dist/apps');
const NAMESPACE = 'bench';

/** How many jobs the queue holds, by state. */
export interface JobsInRedis {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

/**
 * The product as in production: an api and two workers, each a process of its own, on a PostgreSQL that syncs every
 * commit and a Redis, both its own. Default configuration, but consumers on the loopback and logs from `warn` on.
 */
export class Product {
  static async start(env: Readonly<Record<string, string>> = {}, workers = 2): Promise<Product> {
    const [postgres, redis] = await Promise.all([
      OwnPostgres.create({ durable: true, settings: { shared_buffers: '256MB' } }),
      OwnRedis.create({ durable: false }),
    ]);
    const adminKey = randomBytes(24).toString('hex');
    const product = new Product(postgres, redis, adminKey, {
      PATH: process.env['PATH'] ?? '',
      HOST: '127.0.0.1',
      EGRESS_ALLOW: '127.0.0.0/8',
      ALLOW_HTTP: 'true',
      LOG_LEVEL: 'warn',
      UV_THREADPOOL_SIZE: '32',
      DATABASE_URL: postgres.url('postgres'),
      QUEUE_BACKEND: 'redis',
      QUEUE_NAMESPACE: NAMESPACE,
      REDIS_URL: redis.url,
      SECRETS_KEYRING: `k1:${randomBytes(32).toString('base64')}`,
      ADMIN_API_KEY: adminKey,
      ...env,
    });
    try {
      await promisify(execFile)(process.execPath, [join(DIST, 'api/src/migrate.js')], { env: product.env });
      await product.sql.connect();
      product.baseUrl = await product.run('api');
      product.client = new ApiClient(product.baseUrl, adminKey);
      for (let worker = 0; worker < workers; worker += 1) await product.run('worker');
      return product;
    } catch (error) {
      await product.stop();
      throw error;
    }
  }

  baseUrl = '';
  client: ApiClient;
  readonly sql: Client;
  private readonly queue: Redis;
  private readonly commands: RunningCommand[] = [];

  private constructor(
    private readonly postgres: OwnPostgres,
    private readonly redis: OwnRedis,
    readonly adminKey: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.client = new ApiClient('', adminKey);
    this.sql = new Client({ connectionString: postgres.url('postgres') });
    this.queue = new Redis(redis.url);
  }

  /** How many open deliveries there are of these consumers. */
  async openOf(consumerIds: readonly string[]): Promise<number> {
    const { rows } = await this.sql.query<{ open: number }>(
      'select count(*)::int as open from open_deliveries where consumer_id = any ($1::uuid[])',
      [consumerIds],
    );
    return rows[0]?.open ?? 0;
  }

  /** Deliveries of these consumers that are being sent at this moment. */
  async sendingOf(consumerIds: readonly string[]): Promise<number> {
    const { rows } = await this.sql.query<{ sending: number }>(
      `select count(*)::int as sending from open_deliveries
       where state = 'sending' and consumer_id = any ($1::uuid[])`,
      [consumerIds],
    );
    return rows[0]?.sending ?? 0;
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

  async stop(): Promise<void> {
    await Promise.all(this.commands.map((command) => command.end('SIGKILL')));
    this.queue.disconnect();
    await this.sql.end().catch(() => undefined);
    await Promise.all([this.postgres.remove(), this.redis.remove()]);
  }

  private async run(app: 'api' | 'worker'): Promise<string> {
    const port = await freePort();
    const command = await RunningCommand.start({
      file: process.execPath,
      args: [join(DIST, app, 'src/main.js')],
      env: { ...this.env, PORT: String(port) },
    });
    this.commands.push(command);
    const baseUrl = `http://127.0.0.1:${String(port)}`;
    await waitUntil(async () => (await fetch(`${baseUrl}/readyz`)).ok, {
      deadlineMs: 30_000,
      what: () => `the ${app} to be ready. Its output:\n${command.output}`,
    });
    return baseUrl;
  }
}
