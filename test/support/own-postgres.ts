import { join } from 'node:path';
import { Client } from 'pg';
import { postgresAccount, type Account } from '#apps/standalone/src/postgres/account';
import { makeCluster } from '#apps/standalone/src/postgres/cluster';
import { findPrograms, type Programs } from '#apps/standalone/src/postgres/programs';
import { freePort } from '#test/support/free-port';
import { RamDisk } from '#test/support/ram-disk';
import { RunningCommand } from '#test/support/running-command';
import { folderInMemory, temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { StopWaitingError, waitUntil } from '#test/support/wait-until';

export interface OwnPostgresOptions {
  /** Whether a commit survives a crash. Off is faster; the data is then in memory if there is room. */
  durable?: boolean;
  /** Server settings, as `name=value` on its command line. */
  settings?: Readonly<Record<string, string | number>>;
  /** The folder of another version's programs; by default the server in the npm package. */
  programs?: string;
  /** Puts the data on its own file system, which can be filled (`disk`); only where `canMountRamDisk` holds. */
  ownDisk?: boolean;
  /** Makes the data folder and its parent, in place of an empty cluster. */
  makeData?: (dataFolder: string) => Promise<void>;
  /** Receives everything that it logs. */
  onOutput?: (chunk: string) => void;
}

/** Where its data is and where it listens. */
interface Place {
  readonly folder: TemporaryFolder;
  readonly dataFolder: string;
  readonly port: number;
  readonly disk: RamDisk | undefined;
}

const USER = 'postgres';
const PASSWORD = 'test';

const programsIn = (folder: string): Programs => ({
  initdb: join(folder, 'initdb'),
  postgres: join(folder, 'postgres'),
  dispose: () => undefined,
});

/** A PostgreSQL server for one test; a restart keeps its port and its data. */
export class OwnPostgres {
  private server: RunningCommand | undefined;

  /** Makes a cluster in a temporary folder and starts it. The caller calls `remove`. */
  static async create(options: OwnPostgresOptions = {}): Promise<OwnPostgres> {
    const { durable = true, settings = {}, ownDisk = false, onOutput } = options;
    const folder = await (durable ? temporaryFolder : folderInMemory)('postgres');
    const account = postgresAccount();
    const programs = options.programs === undefined ? findPrograms(account) : programsIn(options.programs);
    let disk: RamDisk | undefined;
    try {
      const port = await freePort();
      if (ownDisk) disk = await RamDisk.mount(join(folder.path, 'cluster'));
      const dataFolder = join(folder.path, 'cluster', 'data');
      await options.makeData?.(dataFolder);
      await makeCluster({
        programs,
        account,
        folder: join(folder.path, 'cluster'),
        port,
        password: PASSWORD,
      });
      const allSettings = {
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        // Six test files at a time and the systems that browser tests share took up to 200.
        max_connections: 400,
        ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
        // A server whose crash recovery finds the disk full should end. PostgreSQL 18.4 sometimes does not: it then
        // neither ends nor accepts connections (5 of 180 times on a busy machine). Without recovery it ends at once.
        ...(ownDisk ? { restart_after_crash: 'off' } : {}),
        ...settings,
      };
      const place = { folder, dataFolder, port, disk };
      const postgres = new OwnPostgres(place, programs, account, allSettings, onOutput);
      await postgres.start();
      return postgres;
    } catch (error) {
      programs.dispose();
      await disk?.unmount();
      await folder.remove();
      throw error;
    }
  }

  private constructor(
    private readonly place: Place,
    private readonly programs: Programs,
    private readonly account: Account | undefined,
    private readonly settings: Readonly<Record<string, string | number>>,
    private readonly onOutput: ((chunk: string) => void) | undefined,
  ) {}

  get dataFolder(): string {
    return this.place.dataFolder;
  }

  get port(): number {
    return this.place.port;
  }

  /** The file system of its data, with `ownDisk`. */
  get disk(): RamDisk | undefined {
    return this.place.disk;
  }

  get isRunning(): boolean {
    return this.server?.isRunning === true;
  }

  /** The process id of the postmaster, whose children the other processes are. */
  get pid(): number {
    return this.server?.pid ?? 0;
  }

  /** The URL of the maintenance database, as superuser. */
  get adminUrl(): string {
    return this.url('postgres');
  }

  /** The URL of a database, as superuser. */
  url(database: string): string {
    return `postgres://${USER}:${PASSWORD}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts it and returns when it answers a query. */
  async start(): Promise<void> {
    if (this.isRunning) return;
    const settings = Object.entries(this.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = await RunningCommand.start({
      file: this.programs.postgres,
      args: ['-D', this.dataFolder, '-p', String(this.port), ...settings],
      env: { PATH: process.env['PATH'], LC_MESSAGES: 'C' },
      ...this.account,
      parentExitSignal: 'QUIT',
      ...(this.onOutput === undefined ? {} : { onOutput: this.onOutput }),
    });
    this.server = server;
    await waitUntil(() => this.answers(server), {
      what: `PostgreSQL on port ${this.port} to answer`,
    });
  }

  /** Ends every process of it at once, as the loss of its machine does. */
  async kill(): Promise<void> {
    process.kill(-this.pid, 'SIGKILL');
    await this.server?.exited;
    this.server = undefined;
  }

  /**
   * Stops it: rolls back open transactions and closes connections. `hard` is a crash: every process ends at once, and
   * the next start recovers from the log.
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
      await this.disk?.unmount();
      await this.place.folder.remove();
    }
  }

  private async answers(server: RunningCommand): Promise<boolean> {
    if (!server.isRunning) throw new StopWaitingError(`PostgreSQL ended while starting:\n${server.output}`);
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
