import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DataDirInUseError } from '../data-dir-lock.js';
import type { Account } from './account.js';
import type { Programs } from './programs.js';

const READY = 'database system is ready to accept connections';
const START_WITHIN_MS = 30_000;
/** Its messages are read, so they must be English; initdb looks for a shell. */
const ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' };

export interface ClusterOptions {
  readonly programs: Programs;
  readonly account: Account | undefined;
  readonly folder: string;
  readonly port: number;
  readonly password: string;
  /** Server settings, as `name=value` on its command line. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** The superuser of a cluster made here. */
export const SUPERUSER = 'postgres';

/** Makes the cluster's files unless they exist. Passwords are checked on loopback too. */
export async function makeCluster(options: ClusterOptions): Promise<void> {
  const data = join(options.folder, 'data');
  if (existsSync(join(data, 'PG_VERSION'))) return;
  mkdirSync(options.folder, { recursive: true, mode: 0o711 });
  const passwordFile = join(options.folder, 'initial-password');
  try {
    writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 });
    if (options.account !== undefined) {
      chownSync(options.folder, options.account.uid, options.account.gid);
      chownSync(passwordFile, options.account.uid, options.account.gid);
    }
    await promisify(execFile)(
      options.programs.initdb,
      [
        `--pgdata=${data}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
      ],
      { ...options.account, cwd: options.folder, env: ENVIRONMENT },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** A PostgreSQL server that lives no longer than its owner wants. */
export class RunningCluster {
  private constructor(
    private readonly server: ChildProcess,
    readonly url: string,
  ) {}

  /** Starts the server and returns when it answers. @throws with the server's last words when it does not */
  static async start(options: ClusterOptions): Promise<RunningCluster> {
    await formerServerEnded(options.folder);
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 100,
      ...options.settings,
    };
    const server = spawn(
      options.programs.postgres,
      [
        '-D',
        join(options.folder, 'data'),
        '-p',
        String(options.port),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${String(value)}`]),
      ],
      // A group of its own: an interrupt typed in the terminal ends us first, and the server when we have drained.
      {
        ...options.account,
        cwd: options.folder,
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: ENVIRONMENT,
      },
    );
    await readiness(server);
    leash(server);
    const password = encodeURIComponent(options.password);
    return new RunningCluster(
      server,
      `postgres://${SUPERUSER}:${password}@127.0.0.1:${String(options.port)}/postgres`,
    );
  }

  /** A fast shutdown: open transactions are rolled back, committed ones are on disk. */
  async stop(): Promise<void> {
    if (this.server.exitCode !== null || this.server.signalCode !== null) return;
    // Nothing else may keep this process alive by now.
    this.server.ref();
    const exited = once(this.server, 'exit');
    this.server.kill('SIGINT');
    await exited;
  }
}

/**
 * A server whose owner was killed is told to end by its leash; its files are free when it has. A process id in
 * the lock file that belongs to nobody is PostgreSQL's own business.
 */
async function formerServerEnded(folder: string): Promise<void> {
  const lockFile = join(folder, 'data', 'postmaster.pid');
  for (const deadline = Date.now() + START_WITHIN_MS; existsSync(lockFile); await delay(50)) {
    const pid = Number(readFileSync(lockFile, 'utf8').split('\n', 1)[0]);
    if (!isRunning(pid)) return;
    if (Date.now() > deadline) {
      throw new DataDirInUseError(folder, `Another PostgreSQL (pid ${String(pid)})`);
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Ends the server when this process dies, however: the shell's input ends with us. */
function leash(server: ChildProcess): void {
  const keeper = spawn(
    '/bin/sh',
    ['-c', 'read -r _; kill -s INT "$1" 2>/dev/null', 'leash', String(server.pid)],
    {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  keeper.unref();
  if (keeper.stdin instanceof Socket) keeper.stdin.unref();
  server.once('exit', () => keeper.kill('SIGKILL'));
  server.unref();
  if (server.stderr instanceof Socket) server.stderr.unref();
}

async function readiness(server: ChildProcess): Promise<void> {
  let words = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string): void =>
      reject(new Error(`the embedded PostgreSQL ${why}:\n${words.slice(-2_000)}`));
    const timer = setTimeout(() => fail('did not start within 30 s'), START_WITHIN_MS);
    server.once('error', (error) => fail(`cannot be run (${error.message})`));
    server.once('exit', () => fail('ended while starting'));
    server.stderr?.on('data', (chunk: Buffer) => {
      if (words.includes(READY)) return;
      words += chunk.toString();
      if (!words.includes(READY)) return;
      clearTimeout(timer);
      server.removeAllListeners('exit');
      resolve();
    });
  }).catch((error: unknown) => {
    server.kill('SIGKILL');
    throw error;
  });
}
