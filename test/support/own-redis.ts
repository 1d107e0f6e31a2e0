import { glob, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '#test/support/free-port';
import { RunningCommand } from '#test/support/running-command';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { StopWaitingError, waitUntil } from '#test/support/wait-until';

export interface OwnRedisOptions {
  /** Whether its data survives a stop (`appendonly yes`). */
  durable?: boolean;
  /** When the append-only file is synced: at every command (the default), or once a second as in production. */
  fsync?: 'always' | 'everysec';
  /** Further configuration; a value may contain several words. */
  settings?: Readonly<Record<string, string>>;
}

/** A redis-server for one test; a restart keeps its port. */
export class OwnRedis {
  private server: RunningCommand | undefined;

  /** Starts a server with an empty temporary folder. The caller calls `remove`. */
  static async create({
    durable = true,
    fsync = 'always',
    settings = {},
  }: OwnRedisOptions = {}): Promise<OwnRedis> {
    const folder = await temporaryFolder('redis');
    try {
      const redis = new OwnRedis(folder, await freePort(), durable, fsync, settings);
      await redis.start();
      return redis;
    } catch (error) {
      await folder.remove();
      throw error;
    }
  }

  private constructor(
    private readonly folder: TemporaryFolder,
    readonly port: number,
    private readonly durable: boolean,
    private readonly fsync: 'always' | 'everysec',
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** The append-only files: every command that has changed its data. Only with `durable`. */
  async journal(): Promise<string> {
    const files = glob(join(this.folder.path, 'appendonlydir', '*'));
    const parts: string[] = [];
    for await (const file of files) parts.push(await readFile(file, 'utf8'));
    return parts.join('\n');
  }

  get isRunning(): boolean {
    return this.server?.isRunning === true;
  }

  /** Runs `ask` with a new connection to exactly this server; fails at once when the server is down. */
  async asked<T>(ask: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(this.port, '127.0.0.1', { retryStrategy: () => null, maxRetriesPerRequest: 0 });
    redis.on('error', () => undefined);
    try {
      return await ask(redis);
    } finally {
      redis.disconnect();
    }
  }

  get pid(): number {
    return this.server?.pid ?? 0;
  }

  /** Starts it and waits until it answers. */
  async start(): Promise<void> {
    if (this.isRunning) return;
    const settings = {
      port: String(this.port),
      bind: '127.0.0.1',
      dir: this.folder.path,
      save: '',
      'maxmemory-policy': 'noeviction',
      appendonly: this.durable ? 'yes' : 'no',
      appendfsync: this.fsync,
      ...this.settings,
    };
    const server = await RunningCommand.start({
      file: 'redis-server',
      args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, ...value.split(' ')]),
    });
    this.server = server;
    await waitUntil(() => this.answers(server), {
      what: `Redis on port ${this.port} to answer`,
    });
  }

  /** Stops it; `hard` with SIGKILL. */
  async stop({ hard = false }: { hard?: boolean } = {}): Promise<void> {
    await this.server?.end(hard ? 'SIGKILL' : 'SIGTERM');
    this.server = undefined;
  }

  /** Stops it and removes its data. */
  async remove(): Promise<void> {
    try {
      await this.stop({ hard: true });
    } finally {
      await this.folder.remove();
    }
  }

  private answers(server: RunningCommand): Promise<boolean> {
    if (!server.isRunning) throw new StopWaitingError(`redis-server ended while starting:\n${server.output}`);
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write('PING\r\n'));
      socket.setTimeout(10_000, () => socket.destroy(new Error('no answer to PING')));
      socket.once('error', reject);
      socket.once('data', (answer) => {
        socket.destroy();
        // A server that requires a password has started, too.
        resolve(/^(\+PONG|-NOAUTH)/.test(answer.toString()));
      });
    });
  }
}
