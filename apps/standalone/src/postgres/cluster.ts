import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DataDirInUseError } from '../data-dir-lock.js';
import type { Account } from './account.js';
import type { Programs } from './programs.js';
import { ServerLog } from './server-log.js';

const READY = 'database system is ready to accept connections';
const FORMER_ENDS_WITHIN_MS = 30_000;
/** This program reads the server's messages, so they must be English. `initdb` needs a shell in the PATH. */
const ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' };
const SUPERUSER = 'postgres';

export interface ClusterOptions {
  readonly programs: Programs;
  readonly account: Account | undefined;
  /** Folder of the cluster; its data is in the subfolder `data`. */
  readonly folder: string;
  readonly port: number;
  readonly password: string;
}

/** Creates the cluster's files unless they exist. Connections from loopback need the password, too. */
export async function makeCluster({ programs, account, folder, password }: ClusterOptions): Promise<void> {
  const data = join(folder, 'data');
  if (existsSync(join(data, 'PG_VERSION'))) return;
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const passwordFile = join(folder, 'initial-password');
  try {
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (account !== undefined)
      for (const path of [folder, passwordFile]) chownSync(path, account.uid, account.gid);
    const flags = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', `--username=${SUPERUSER}`];
    await promisify(execFile)(programs.initdb, [...flags, `--pgdata=${data}`, `--pwfile=${passwordFile}`], {
      ...account,
      cwd: folder,
      env: ENVIRONMENT,
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** A PostgreSQL server that ends when this process ends. */
export class RunningCluster {
  private constructor(
    private readonly server: ChildProcess,
    readonly url: string,
  ) {}

  /**
   * Starts the server and resolves when it accepts connections; recovery after a crash may take a while.
   * @throws DataDirInUseError when another server uses the data; an error with the server's last messages when it ends
   */
  static async start({ programs, account, folder, port, password }: ClusterOptions): Promise<RunningCluster> {
    await formerServerEnded(folder);
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=100',
      // Details and statements of errors can contain a payment.
      'log_error_verbosity=terse',
      'log_min_error_statement=panic',
    ];
    const server = spawn(
      programs.postgres,
      ['-D', join(folder, 'data'), '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      // Its own process group: Ctrl-C in a terminal must not end the server before deliveries in flight are recorded.
      { ...account, cwd: folder, detached: true, stdio: ['ignore', 'ignore', 'pipe'], env: ENVIRONMENT },
    );
    await once(server, 'spawn');
    endWithThisProcess(server);
    await acceptsConnections(server.stderr, new ServerLog(join(folder, 'server.log')));
    server.unref();
    if (server.stderr instanceof Socket) server.stderr.unref();
    return new RunningCluster(
      server,
      `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${String(port)}/postgres`,
    );
  }

  /** Stops the server with a fast shutdown: open transactions are rolled back, committed ones are on disk. */
  async stop(): Promise<void> {
    if (this.server.exitCode !== null || this.server.signalCode !== null) return;
    // Nothing else keeps this process alive at the end of a stop.
    this.server.ref();
    const exited = once(this.server, 'exit');
    this.server.kill('SIGINT');
    await exited;
  }
}

/**
 * Waits while the server of a killed process is still stopping. A lock file whose process is not running is left to
 * PostgreSQL, which then starts with a recovery.
 */
async function formerServerEnded(folder: string): Promise<void> {
  const lockFile = join(folder, 'data', 'postmaster.pid');
  for (const deadline = Date.now() + FORMER_ENDS_WITHIN_MS; existsSync(lockFile); await delay(50)) {
    const pid = Number(readFileSync(lockFile, 'utf8').split('\n', 1)[0]);
    if (!isRunning(pid)) return;
    if (Date.now() > deadline) throw new DataDirInUseError(folder, `Another PostgreSQL (pid ${String(pid)})`);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Stops the server when this process ends in any way, SIGKILL included: a shell waits for the end of its input. */
function endWithThisProcess(server: ChildProcess): void {
  const stopServer = 'read -r _; kill -s INT "$1" 2>/dev/null';
  const shell = spawn('/bin/sh', ['-c', stopServer, 'stop-postgres', String(server.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  server.once('exit', () => shell.kill('SIGKILL'));
}

/** Reads the server's messages for as long as it runs: the server stops when nobody empties a full pipe. */
function acceptsConnections(messages: Readable, log: ServerLog): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    let isReady = false;
    messages.on('data', (chunk: Buffer) => {
      log.write(chunk);
      if (isReady) return;
      text += String(chunk);
      isReady = text.includes(READY);
      if (isReady) resolve();
    });
    messages.once('close', () =>
      reject(new Error(`the embedded PostgreSQL ended while starting:\n${text.slice(-2_000)}`)),
    );
  });
}
