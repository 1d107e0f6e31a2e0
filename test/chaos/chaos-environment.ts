import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { Clocks } from '#test/chaos/clocks';
import { CUT_PROCESS, linksOf, ownLinksOf, type LinkName } from '#test/chaos/fault-kinds';
import { Link } from '#test/chaos/link';
import { LogReader } from '#test/chaos/log-reader';
import { PLANTED_FAULTS, type Planted, type PlantedFault } from '#test/chaos/planted-faults';
import { recordOpenings } from '#test/chaos/session-openings';
import { sourceAddressOf } from '#test/chaos/sender';
import { SupervisedProcess } from '#test/chaos/supervised-process';
import { freePort } from '#test/support/free-port';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';

export interface ChaosEnvironmentOptions {
  readonly backend: 'redis' | 'postgres';
  /** A fault that is planted in the system. */
  readonly planted: Planted | undefined;
  /** PostgreSQL has its own file system, which can be filled. */
  readonly ownDisk: boolean;
  /** Settings of the workers, besides those of every run. */
  readonly workerEnv?: Readonly<Record<string, string>>;
  /** Called with each line that a process logs. */
  readonly onLine?: (process: string, line: string) => void;
}

/** The servers and ports, which exist before the processes start. */
interface Servers {
  readonly postgres: OwnPostgres;
  readonly redis: OwnRedis | undefined;
  readonly links: readonly (LinkName & { readonly link: Link })[];
  /** From worker 1 or api 1 alone, each before the link that it shares with its like. */
  readonly ownLinks: readonly (LinkName & { readonly link: Link })[];
  readonly clocks: Clocks;
  readonly ports: readonly number[];
  readonly log: LogReader;
}

/** The table of unfinished deliveries. */
export const PENDING_TABLE = 'pending_deliveries';

const PROJECT = join(import.meta.dirname, '../..');

/**
 * The system as in production, on one machine: two apis, two workers, its own PostgreSQL and Redis. The processes connect
 * to the servers over links that can be disturbed; the suite connects directly.
 */
export class ChaosEnvironment {
  readonly adminKey = randomBytes(24).toString('hex');

  /** Starts the servers, migrates, and starts the processes. Call `close` afterwards. */
  static async open(options: ChaosEnvironmentOptions): Promise<ChaosEnvironment> {
    const log = new LogReader();
    const [postgres, redis] = await Promise.all([
      OwnPostgres.create({
        ownDisk: options.ownDisk,
        // Shows when each attempt was recorded.
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
    const ownLinks = await Promise.all(
      ownLinksOf(options.backend).map(async (name) => ({
        ...name,
        link: await Link.open(found(links, name).port),
      })),
    );
    const clocks = await Clocks.create();
    const ports = await Promise.all(Array.from({ length: 5 }, () => freePort()));
    const environment = new ChaosEnvironment(options, {
      postgres,
      redis,
      links,
      ownLinks,
      clocks,
      ports,
      log,
    });
    try {
      const env = environment.environment('api', 'api');
      await promisify(execFile)(process.execPath, [join(PROJECT, 'dist/apps/api/migrate.js')], { env });
      if (environment.planted.sql !== undefined) await environment.query(environment.planted.sql);
      await recordOpenings(environment);
      await environment.query(
        `create role ${environment.ownRole} login password '${environment.ownPassword}' in role postgres`,
      );
      await Promise.all(environment.processes.map((process) => process.start()));
      await environment.allReady();
      return environment;
    } catch (error) {
      await environment.close();
      throw error;
    }
  }

  /** The role of worker 1 in PostgreSQL, so that PostgreSQL can refuse this worker alone. */
  readonly ownRole = 'worker_1';
  readonly ownPassword = randomBytes(12).toString('hex');
  /** A third worker, which is not running at first. */
  readonly spareWorker: SupervisedProcess;
  private readonly planted: PlantedFault;
  readonly apis: readonly SupervisedProcess[];
  readonly workers: readonly SupervisedProcess[];
  private readonly namespace = `chaos_${randomBytes(6).toString('hex')}`;
  private readonly keyring = `k1:${randomBytes(32).toString('base64')}`;

  private constructor(
    private readonly options: ChaosEnvironmentOptions,
    private readonly servers: Servers,
  ) {
    this.planted = options.planted === undefined ? {} : PLANTED_FAULTS[options.planted];
    const processes = (['api', 'api', 'worker', 'worker', 'worker'] as const).map((app, index) => {
      const name = `${app} ${app === 'api' ? index : index - 2}`;
      const preload = app === 'worker' ? this.planted.workerPreload : undefined;
      return new SupervisedProcess({
        name,
        port: servers.ports[index] ?? 0,
        // A preloaded module can replace a method only where each module of the build is a file.
        entry: join(PROJECT, 'dist/apps', app, preload === undefined ? 'main.js' : 'src/main.js'),
        preload,
        sourceAddress: app === 'worker' ? sourceAddressOf(index - 2) : undefined,
        env: { ...this.environment(app, name), ...servers.clocks.environmentOf(name) },
        onLine: (line) => {
          this.log.read(line);
          options.onLine?.(name, line);
        },
      });
    });
    const [api0, api1, worker0, worker1, spareWorker] = processes;
    if (!api0 || !api1 || !worker0 || !worker1 || !spareWorker) throw new Error('there are five processes');
    this.apis = [api0, api1];
    this.workers = [worker0, worker1];
    this.spareWorker = spareWorker;
  }

  get postgres(): OwnPostgres {
    return this.servers.postgres;
  }

  get redis(): OwnRedis | undefined {
    return this.servers.redis;
  }

  get log(): LogReader {
    return this.servers.log;
  }

  get clocks(): Clocks {
    return this.servers.clocks;
  }

  /** The connection from these processes to that server. */
  link(name: LinkName): Link {
    return found(this.servers.links, name);
  }

  /** The connection of process 1 of this kind alone. */
  ownLink(name: LinkName): Link {
    return found(this.servers.ownLinks, name);
  }

  /** Ends the connections of worker 1 to PostgreSQL; its role decides whether it gets new ones. */
  async endConnectionsOfOwnRole(): Promise<void> {
    await this.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
      this.ownRole,
    ]);
  }

  /** The processes that always run. */
  get processes(): readonly SupervisedProcess[] {
    return [...this.apis, ...this.workers];
  }

  /** Resolves when every process is ready. */
  async allReady(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.ready()));
  }

  /** Executes a statement directly on PostgreSQL. @returns its rows */
  async query<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: this.postgres.adminUrl, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(statement, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** How many deliveries are not finished. */
  async countPending(): Promise<number> {
    const [row] = await this.query<{ count: number }>(`select count(*)::int as count from ${PENDING_TABLE}`);
    return row?.count ?? -1;
  }

  /** Sends one command to Redis. @returns its answer; undefined without Redis */
  async redisCommand(command: string, ...args: string[]): Promise<unknown> {
    if (this.redis === undefined) return undefined;
    const connection = new Redis(this.redis.url, { maxRetriesPerRequest: 3 });
    connection.on('error', () => undefined);
    try {
      return await connection.call(command, ...args);
    } finally {
      connection.disconnect();
    }
  }

  /** Ends all processes, links and servers. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.processes, this.spareWorker].map((process) => process.close()));
    const { links, ownLinks, clocks } = this.servers;
    await Promise.allSettled([...ownLinks, ...links].map(({ link }) => link.close()));
    await Promise.allSettled([this.postgres.remove(), this.redis?.remove(), clocks.remove()]);
  }

  private environment(app: LinkName['from'], name: string): Record<string, string> {
    const { backend } = this.options;
    const toPostgres = this.urlOver({ from: app, to: 'PostgreSQL' }, name, this.databaseUrl(name));
    return {
      EGRESS_ALLOW: '127.0.0.0/8',
      ALLOW_HTTP: 'true',
      RECONCILE_INTERVAL_MS: '1000',
      DATABASE_URL: toPostgres,
      QUEUE_BACKEND: backend,
      QUEUE_NAMESPACE: this.namespace,
      ...(this.redis === undefined
        ? {}
        : { REDIS_URL: this.urlOver({ from: app, to: 'Redis' }, name, this.redis.url) }),
      SECRETS_KEYRING: this.keyring,
      ADMIN_API_KEY: this.adminKey,
      ...(app === 'worker' ? this.options.workerEnv : {}),
    };
  }

  /** The application's name shows which worker opened a session. */
  private databaseUrl(name: string): string {
    const url = new URL(this.postgres.url('postgres'));
    url.searchParams.set('application_name', name);
    if (name === `worker ${CUT_PROCESS}`) {
      url.username = this.ownRole;
      url.password = this.ownPassword;
    }
    return url.href;
  }

  /** The URL of a server, with the port of the process's link to it. */
  private urlOver(link: LinkName, process: string, url: string): string {
    const isOwn =
      process === `${link.from} ${CUT_PROCESS}` &&
      this.servers.ownLinks.some(({ from, to }) => from === link.from && to === link.to);
    const linked = new URL(url);
    linked.port = String((isOwn ? this.ownLink(link) : this.link(link)).port);
    return linked.href;
  }
}

function found(links: readonly (LinkName & { readonly link: Link })[], { from, to }: LinkName): Link {
  const one = links.find((each) => each.from === from && each.to === to);
  if (one === undefined) throw new Error(`there is no link from ${from} to ${to}`);
  return one.link;
}
