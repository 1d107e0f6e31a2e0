import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { linksOf, type LinkName } from '#test/chaos/fault-kinds';
import { Link } from '#test/chaos/link';
import { LogReader } from '#test/chaos/log-reader';
import { noteOpenings } from '#test/chaos/session-openings';
import { SupervisedProcess } from '#test/chaos/supervised-process';
import { freePort } from '#test/support/free-port';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';

export interface ChaosEnvironmentOptions {
  readonly backend: 'redis' | 'postgres';
  /** The folder with `dist/` and package.json. */
  readonly build: string;
  /** PostgreSQL gets a disk that can be filled. */
  readonly ownDisk: boolean;
  /** Hears each line that a process logs. */
  readonly onLine?: (process: string, line: string) => void;
}

/** What the processes run on, all of it there before they are. */
interface Ground {
  readonly postgres: OwnPostgres;
  readonly redis: OwnRedis | undefined;
  readonly links: readonly (LinkName & { readonly link: Link })[];
  readonly ports: readonly number[];
  readonly log: LogReader;
}

/**
 * The system as it runs in production, on one machine: two apis, two workers, PostgreSQL and Redis of its own. The
 * processes reach the servers over links that can be disturbed; our own questions go there directly.
 */
export class ChaosEnvironment {
  readonly adminKey = randomBytes(24).toString('hex');

  /** Starts the servers, migrates, and starts the processes. Call `close` afterwards. */
  static async open(options: ChaosEnvironmentOptions): Promise<ChaosEnvironment> {
    const log = new LogReader();
    const [postgres, redis] = await Promise.all([
      OwnPostgres.create({
        ownDisk: options.ownDisk,
        // Says when each attempt was recorded.
        settings: { track_commit_timestamp: 'on' },
        onOutput: (text) => {
          log.readPostgres(text);
          options.onLine?.('PostgreSQL', text.trimEnd());
        },
      }),
      options.backend === 'redis' ? OwnRedis.create({ durable: true }) : undefined,
    ]);
    const portOf = { PostgreSQL: postgres.port, Redis: redis?.port ?? 0 };
    const links = await Promise.all(
      linksOf(options.backend).map(async (name) => ({ ...name, link: await Link.open(portOf[name.to]) })),
    );
    const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
    const stage = new ChaosEnvironment(options, { postgres, redis, links, ports, log });
    try {
      const env = stage.environment('api');
      await promisify(execFile)(process.execPath, [join(options.build, 'dist/apps/api/src/migrate.js')], {
        env,
      });
      await noteOpenings(stage);
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
  private readonly namespace = `chaos_${randomBytes(6).toString('hex')}`;
  private readonly keyring = `k1:${randomBytes(32).toString('base64')}`;

  private constructor(
    private readonly options: ChaosEnvironmentOptions,
    private readonly ground: Ground,
  ) {
    const processes = (['api', 'api', 'worker', 'worker'] as const).map(
      (app, index) =>
        new SupervisedProcess({
          app,
          name: `${app} ${index % 2}`,
          port: ground.ports[index] ?? 0,
          build: options.build,
          env: this.environment(app),
          onLine: (line) => {
            this.log.read(line);
            options.onLine?.(`${app} ${index % 2}`, line);
          },
        }),
    );
    this.apis = processes.slice(0, 2);
    this.workers = processes.slice(2);
  }

  get postgres(): OwnPostgres {
    return this.ground.postgres;
  }

  get redis(): OwnRedis | undefined {
    return this.ground.redis;
  }

  get log(): LogReader {
    return this.ground.log;
  }

  /** The way from these processes to that server. */
  link({ from, to }: LinkName): Link {
    const found = this.ground.links.find((one) => one.from === from && one.to === to);
    if (found === undefined) throw new Error(`there is no link from ${from} to ${to}`);
    return found.link;
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

  /** One command to Redis. @returns its answer; nothing where there is no Redis */
  async tellRedis(command: string, ...args: string[]): Promise<unknown> {
    if (this.redis === undefined) return undefined;
    const connection = new Redis(this.redis.url, { maxRetriesPerRequest: 3 });
    connection.on('error', () => undefined);
    try {
      return await connection.call(command, ...args);
    } finally {
      connection.disconnect();
    }
  }

  /** Ends every process, link and server. */
  async close(): Promise<void> {
    await Promise.allSettled(this.processes.map((process) => process.close()));
    await Promise.allSettled(this.ground.links.map(({ link }) => link.close()));
    await Promise.allSettled([this.postgres.remove(), this.redis?.remove()]);
  }

  private environment(app: LinkName['from']): Record<string, string> {
    const { backend } = this.options;
    return {
      EGRESS_ALLOW: '127.0.0.0/8',
      ALLOW_HTTP: 'true',
      RECONCILE_INTERVAL_MS: '1000',
      DATABASE_URL: this.over({ from: app, to: 'PostgreSQL' }, this.postgres.url('postgres')),
      QUEUE_BACKEND: backend,
      QUEUE_NAMESPACE: this.namespace,
      ...(this.redis === undefined
        ? {}
        : { REDIS_URL: this.over({ from: app, to: 'Redis' }, this.redis.url) }),
      SECRETS_KEYRING: this.keyring,
      ADMIN_API_KEY: this.adminKey,
    };
  }

  /** The server's URL, by way of the link. */
  private over(name: LinkName, url: string): string {
    const way = new URL(url);
    way.port = String(this.link(name).port);
    return way.href;
  }
}
