import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { RECORD_SESSIONS } from '#test/chaos/history';
import { Link } from '#test/chaos/link';
import { PLANTED_FAULTS, type Planted } from '#test/chaos/planted-faults';
import { ProductProcess } from '#test/chaos/product-process';
import { freePort } from '#test/support/free-port';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';

export type Backend = 'redis' | 'postgres';

export interface EnvironmentOptions {
  readonly backend: Backend;
  /** A fault that is planted in the system. */
  readonly planted: Planted | undefined;
  /** PostgreSQL has its own file system, which can be filled. */
  readonly ownDisk: boolean;
  /** Settings of the workers, besides those of every run. */
  readonly workerEnv: Readonly<Record<string, string>>;
  /** Called with each line that a process or PostgreSQL logs. */
  readonly onLine: (process: string, line: string) => void;
}

/** The connections to a server from both processes of a kind, or from process 1 of the kind alone (`isOwn`). */
export interface LinkName {
  readonly from: 'api' | 'worker';
  readonly to: 'PostgreSQL' | 'Redis';
  readonly isOwn?: boolean;
}

/** A queue on PostgreSQL uses the link to PostgreSQL. A process's own link leads to the one that it shares with its like. */
export const linksOf = (backend: Backend): LinkName[] => [
  { from: 'api', to: 'PostgreSQL' },
  { from: 'worker', to: 'PostgreSQL' },
  { from: 'api', to: 'PostgreSQL', isOwn: true },
  { from: 'worker', to: 'PostgreSQL', isOwn: true },
  ...(backend === 'redis'
    ? [
        { from: 'api', to: 'Redis' } as const,
        { from: 'worker', to: 'Redis' } as const,
        { from: 'worker', to: 'Redis', isOwn: true } as const,
      ]
    : []),
];

/** The process with links of its own. */
export const CUT_PROCESS = 1;
/** The role of worker 1 in PostgreSQL, so that PostgreSQL can refuse this worker alone. */
export const OWN_ROLE = 'worker_1';

/** The servers and ports, which exist before the processes start. */
interface Servers {
  readonly folder: TemporaryFolder;
  readonly postgres: OwnPostgres;
  readonly redis: OwnRedis | undefined;
  readonly links: ReadonlyMap<string, Link>;
  readonly ports: readonly number[];
}

const PROJECT = join(import.meta.dirname, '../..');
const PLANT_FAULT = join(import.meta.dirname, 'plant-fault.ts');
const keyOf = ({ from, to, isOwn = false }: LinkName): string => `${from} ${to} ${String(isOwn)}`;

/**
 * The system as in production, on one machine: two apis, two workers, its own PostgreSQL and Redis. The processes connect
 * to the servers over links that can be disturbed; the suite connects directly.
 */
export class ChaosEnvironment {
  readonly adminKey = randomBytes(24).toString('hex');
  readonly ownPassword = randomBytes(12).toString('hex');
  readonly apis: readonly ProductProcess[];
  readonly workers: readonly ProductProcess[];
  /** A third worker, which is not running at first. */
  readonly spareWorker: ProductProcess;
  /** PostgreSQL's errors because of a full disk. */
  noSpaceErrors = 0;
  /** Results that were not recorded because another session of the consumer had been opened. */
  refusedRecords = 0;
  private readonly namespace = `chaos_${randomBytes(6).toString('hex')}`;
  private readonly keyring = `k1:${randomBytes(32).toString('base64')}`;

  /** Starts the servers, migrates, and starts the processes. Call `close` afterwards. */
  static async open(options: EnvironmentOptions): Promise<ChaosEnvironment> {
    let opened: ChaosEnvironment | undefined;
    const onOutput = (text: string): void => {
      if (opened !== undefined) opened.noSpaceErrors += text.split('No space left on device').length - 1;
      options.onLine('PostgreSQL', text.trimEnd());
    };
    const [folder, postgres, redis] = await Promise.all([
      temporaryFolder('chaos-clocks'),
      // The commits' times show when each attempt was recorded.
      OwnPostgres.create({
        ownDisk: options.ownDisk,
        settings: { track_commit_timestamp: 'on' },
        onOutput,
      }),
      options.backend === 'redis' ? OwnRedis.create({ durable: true }) : undefined,
    ]);
    const portOf = { PostgreSQL: postgres.port, Redis: redis?.port ?? 0 };
    const links = new Map<string, Link>();
    for (const name of linksOf(options.backend)) {
      const shared = links.get(keyOf({ ...name, isOwn: false }));
      links.set(keyOf(name), await Link.open(shared?.port ?? portOf[name.to]));
    }
    const ports = await Promise.all(Array.from({ length: 5 }, () => freePort()));
    opened = new ChaosEnvironment(options, { folder, postgres, redis, links, ports });
    try {
      await opened.migrateAndStart();
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  private constructor(
    private readonly options: EnvironmentOptions,
    private readonly servers: Servers,
  ) {
    const process = (app: 'api' | 'worker', index: number, port: number | undefined): ProductProcess => {
      const name = `${app} ${index}`;
      return new ProductProcess({
        name,
        port: port ?? 0,
        folder: servers.folder.path,
        entry: this.entryOf(`${app}/main.js`),
        preloads: this.preloads,
        env: this.environmentOf(app, name),
        onLine: (line) => {
          if (line.includes('"session.fenced"')) this.refusedRecords += 1;
          options.onLine(name, line);
        },
      });
    };
    const [port0, port1, port2, port3, port4] = servers.ports;
    this.apis = [process('api', 0, port0), process('api', 1, port1)];
    this.workers = [process('worker', 0, port2), process('worker', 1, port3)];
    this.spareWorker = process('worker', 2, port4);
  }

  get postgres(): OwnPostgres {
    return this.servers.postgres;
  }

  get redis(): OwnRedis | undefined {
    return this.servers.redis;
  }

  link(name: LinkName): Link {
    const link = this.servers.links.get(keyOf(name));
    if (link === undefined) throw new Error(`there is no link from ${name.from} to ${name.to}`);
    return link;
  }

  /** The processes that always run. */
  get processes(): readonly ProductProcess[] {
    return [...this.apis, ...this.workers];
  }

  /** Resolves when every process is ready. */
  async allReady(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.ready()));
  }

  /** A connection of its own to PostgreSQL. The caller ends it. */
  async connect(): Promise<Client> {
    const client = new Client({ connectionString: this.postgres.adminUrl, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Executes a statement directly on PostgreSQL. @returns its rows */
  async query<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
    const client = await this.connect();
    try {
      return (await client.query<Row>(statement, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** How many deliveries are not finished. */
  async countPending(): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      'select count(*)::int as count from pending_deliveries',
    );
    return row?.count ?? -1;
  }

  /** Ends all processes, links and servers. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.processes, this.spareWorker].map((process) => process.close()));
    const { links, folder } = this.servers;
    await Promise.allSettled([...links.values()].toReversed().map((link) => link.close()));
    await Promise.allSettled([this.postgres.remove(), this.redis?.remove(), folder.remove()]);
  }

  private async migrateAndStart(): Promise<void> {
    const args = [...this.preloads.flatMap((module) => ['--import', module]), this.entryOf('api/migrate.js')];
    await promisify(execFile)(process.execPath, args, { env: this.environmentOf('api', 'api') });
    await this.query(RECORD_SESSIONS);
    await this.query(`create role ${OWN_ROLE} login password '${this.ownPassword}' in role postgres`);
    await Promise.all(this.processes.map((process) => process.start()));
    await this.allReady();
  }

  /** A preloaded module can replace text only where each module of the build is a file. */
  private entryOf(file: string): string {
    return join(PROJECT, 'dist/apps', this.options.planted === undefined ? file : file.replace('/', '/src/'));
  }

  private get preloads(): string[] {
    return this.options.planted === undefined ? [] : [PLANT_FAULT];
  }

  private environmentOf(app: LinkName['from'], name: string): Record<string, string> {
    const { backend, planted, workerEnv } = this.options;
    const replacements = planted === undefined ? [] : PLANTED_FAULTS[planted];
    return {
      EGRESS_ALLOW: '127.0.0.0/8',
      ALLOW_HTTP: 'true',
      RECONCILE_INTERVAL_MS: '1000',
      DATABASE_URL: this.databaseUrl(app, name),
      QUEUE_BACKEND: backend,
      QUEUE_NAMESPACE: this.namespace,
      ...(this.redis === undefined ? {} : { REDIS_URL: this.urlOver(app, 'Redis', name, this.redis.url) }),
      SECRETS_KEYRING: this.keyring,
      ADMIN_API_KEY: this.adminKey,
      CHAOS_REPLACEMENTS: JSON.stringify(replacements),
      ...(app === 'worker' ? workerEnv : {}),
    };
  }

  private databaseUrl(app: LinkName['from'], name: string): string {
    const url = new URL(this.urlOver(app, 'PostgreSQL', name, this.postgres.url('postgres')));
    if (name !== `worker ${CUT_PROCESS}`) return url.href;
    url.username = OWN_ROLE;
    url.password = this.ownPassword;
    return url.href;
  }

  /** The URL of a server, with the port of the process's link to it. */
  private urlOver(from: LinkName['from'], to: LinkName['to'], process: string, url: string): string {
    const own = this.servers.links.get(keyOf({ from, to, isOwn: true }));
    const link =
      process === `${from} ${CUT_PROCESS}` ? (own ?? this.link({ from, to })) : this.link({ from, to });
    const linked = new URL(url);
    linked.port = String(link.port);
    return linked.href;
  }
}
