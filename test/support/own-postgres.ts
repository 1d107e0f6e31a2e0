import { join } from 'node:path';
import { Client } from 'pg';
import { postgresAccount, type Account } from '#apps/standalone/src/postgres/account';
import { makeCluster } from '#apps/standalone/src/postgres/cluster';
import { findPrograms, type Programs } from '#apps/standalone/src/postgres/programs';
import { freePort } from '#test/support/free-port';
import { RunningCommand } from '#test/support/running-command';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { HopelessError, waitUntil } from '#test/support/wait-until';

export interface OwnPostgresOptions {
  /** Whether a commit survives `stop({ hard: true })` and more. Off is faster. */
  durable?: boolean;
  /** Server settings, as `name=value` on its command line. */
  settings?: Readonly<Record<string, string | number>>;
}

const USER = 'postgres';
const PASSWORD = 'test';

/** A real PostgreSQL server of one's own, on the same port with the same data whenever it is started. */
export class OwnPostgres {
  private server: RunningCommand | undefined;

  /** Makes a cluster in a temporary folder and starts it. Whoever calls this calls `remove`. */
  static async create(options: OwnPostgresOptions = {}): Promise<OwnPostgres> {
    const { durable = true, settings = {} } = options;
    const folder = await temporaryFolder('postgres');
    const account = postgresAccount();
    const programs = findPrograms(account);
    try {
      const port = await freePort();
      await makeCluster({
        programs,
        account,
        folder: join(folder.path, 'cluster'),
        port,
        password: PASSWORD,
      });
      const dataFolder = join(folder.path, 'cluster', 'data');
      const postgres = new OwnPostgres(folder, programs, account, dataFolder, port, {
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        max_connections: 200,
        ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
        ...settings,
      });
      await postgres.start();
      return postgres;
    } catch (error) {
      programs.dispose();
      await folder.remove();
      throw error;
    }
  }

  private constructor(
    private readonly folder: TemporaryFolder,
    private readonly programs: Programs,
    private readonly account: Account | undefined,
    readonly dataFolder: string,
    readonly port: number,
    private readonly settings: Readonly<Record<string, string | number>>,
  ) {}

  /** Of the server's first process, whose children the others are. */
  get pid(): number {
    return this.server?.pid ?? 0;
  }

  /** As superuser, to the database that always exists. */
  get adminUrl(): string {
    return this.url('postgres');
  }

  /** As superuser, to a database. */
  url(database: string): string {
    return `postgres://${USER}:${PASSWORD}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts it and returns when it answers a query. */
  async start(): Promise<void> {
    if (this.server?.isRunning === true) return;
    const settings = Object.entries(this.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = await RunningCommand.start({
      file: this.programs.postgres,
      args: ['-D', this.dataFolder, '-p', String(this.port), ...settings],
      env: { PATH: process.env['PATH'], LC_MESSAGES: 'C' },
      ...this.account,
      leashSignal: 'QUIT',
    });
    this.server = server;
    await waitUntil(() => this.answers(server), {
      what: `PostgreSQL on port ${this.port} to answer`,
    });
  }

  /**
   * Stops it. Softly, open transactions are rolled back and connections told; `hard` is a crash: every process
   * ends at once, and the next start recovers from the log.
   */
  async stop({ hard = false }: { hard?: boolean } = {}): Promise<void> {
    await this.server?.end(hard ? 'SIGQUIT' : 'SIGINT');
    this.server = undefined;
  }

  /** Stops it and removes its data. */
  async remove(): Promise<void> {
    try {
      await this.stop({ hard: true });
    } finally {
      this.programs.dispose();
      await this.folder.remove();
    }
  }

  private async answers(server: RunningCommand): Promise<boolean> {
    if (!server.isRunning) throw new HopelessError(`PostgreSQL ended while starting:\n${server.output}`);
    const client = new Client({ connectionString: this.adminUrl, connectionTimeoutMillis: 10_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      return true;
    } finally {
      await client.end();
    }
  }
}
