import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ProductProcess } from '#test/chaos/product-process';
import { freePort } from '#test/support/free-port';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';
import { runSql } from '#test/support/run-sql';
import { RunningCommand, type Exit } from '#test/support/running-command';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';

type App = 'api' | 'worker';

interface Place {
  readonly app: App;
  readonly port: number;
  process: ProductProcess | undefined;
}

/** Two apis and two workers on their own PostgreSQL and Redis; each process is of one version, and can be replaced by another. */
export class Installation {
  readonly adminKey = randomBytes(24).toString('hex');
  readonly apis: readonly string[];
  private readonly env: Readonly<Record<string, string>>;
  private readonly ended: ProductProcess[] = [];
  private readonly ungraceful: string[] = [];

  static async open(): Promise<Installation> {
    const [folder, postgres, redis] = await Promise.all([
      temporaryFolder('upgrade'),
      // The commits' times show when each attempt was recorded.
      OwnPostgres.create({ settings: { track_commit_timestamp: 'on' } }),
      OwnRedis.create(),
    ]);
    const ports = await Promise.all(Array.from({ length: 4 }, () => freePort()));
    const places = ports.map((port, index): Place => ({
      app: index < 2 ? 'worker' : 'api',
      port,
      process: undefined,
    }));
    return new Installation(folder, postgres, redis, places);
  }

  private constructor(
    private readonly folder: TemporaryFolder,
    private readonly postgres: OwnPostgres,
    private readonly redis: OwnRedis,
    private readonly places: readonly Place[],
  ) {
    this.apis = places
      .filter(({ app }) => app === 'api')
      .map(({ port }) => `http://127.0.0.1:${String(port)}`);
    this.env = {
      EGRESS_ALLOW: '127.0.0.0/8',
      ALLOW_HTTP: 'true',
      RECONCILE_INTERVAL_MS: '1000',
      DATABASE_URL: postgres.adminUrl,
      QUEUE_BACKEND: 'redis',
      REDIS_URL: redis.url,
      QUEUE_NAMESPACE: 'upgrade',
      SECRETS_KEYRING: `k1:${randomBytes(32).toString('base64')}`,
      ADMIN_API_KEY: this.adminKey,
    };
  }

  /** `npm run migrate` of the version in this folder. @returns its output */
  async migrate(apps: string): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [join(apps, 'api/migrate.js')], {
      env: this.env,
    });
    return stdout.trim();
  }

  /** Replaces the processes of one kind one after the other: SIGTERM, the end, a start, readiness. */
  async replace(app: App, apps: string): Promise<void> {
    for (const place of this.places) {
      if (place.app !== app) continue;
      const exit = await place.process?.leave();
      if (place.process !== undefined) this.ended.push(place.process);
      if (exit !== undefined && exit.code !== 0)
        this.ungraceful.push(`${app} ${String(place.port)} ended with ${JSON.stringify(exit)} at SIGTERM`);
      const { port } = place;
      place.process = new ProductProcess({
        name: `${app} ${String(port)}`,
        port,
        entry: join(apps, app, 'main.js'),
        preloads: [],
        env: this.env,
        folder: this.folder.path,
        onLine: () => undefined,
      });
      await place.process.start();
      await place.process.ready();
    }
  }

  /** Starts a process that is expected to end without a signal. */
  async startAndEnd(app: App, apps: string): Promise<Exit & { output: string }> {
    const command = await RunningCommand.start({
      file: process.execPath,
      args: [join(apps, app, 'main.js')],
      env: { ...this.env, PORT: String(await freePort()) },
    });
    const exit = await command.exited;
    return { ...exit, output: command.output };
  }

  /** Exits that nobody asked for, and those at SIGTERM with another status than 0. */
  get unexpectedExits(): string[] {
    const all = [...this.ended, ...this.places.flatMap(({ process: running }) => running ?? [])];
    const alone = all.flatMap((one) =>
      one.unexpectedExits.map((exit) => `${one.name} ended: ${JSON.stringify(exit)}`),
    );
    return [...alone, ...this.ungraceful];
  }

  query<Row extends object>(text: string): Promise<Row[]> {
    return runSql(this.postgres.adminUrl, text);
  }

  async countPending(): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      'select count(*)::int as count from pending_deliveries',
    );
    return row?.count ?? -1;
  }

  /** How many keys the queue has in Redis. */
  countQueueKeys(): Promise<number> {
    return this.redis.asked(async (redis) => (await redis.keys('upgrade:*')).length);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.places.map(async ({ process: running }) => running?.close()));
    await Promise.allSettled([this.postgres.remove(), this.redis.remove(), this.folder.remove()]);
  }
}
