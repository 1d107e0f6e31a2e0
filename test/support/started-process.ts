import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterFile } from '#test/support/after-file';
import { freePort } from '#test/support/free-port';
import { MEMORY_LIMITS } from '#test/support/memory-limits';
import { RunningCommand, type Exit } from '#test/support/running-command';
import { StopWaitingError, waitUntil } from '#test/support/wait-until';

export interface ProcessOptions {
  app: 'api' | 'worker' | 'standalone';
  /** In addition to PORT and HOST. Of the tests' environment it inherits only PATH, HOME, TMPDIR and the compile cache. */
  env?: Readonly<Record<string, string>>;
  /** A free port by default; given when a process restarts at the same URL. */
  port?: number;
  /** Limit of the old generation in MiB, for tests of memory that would take longer with production's limit. */
  heapMiB?: number;
  /** Keeps it for later test files; by default it is killed after the current test file. */
  outlivesFile?: boolean;
}

const PROJECT = join(import.meta.dirname, '../..');
/** The product guarantees to stop within this time. */
const STOP_DEADLINE_MS = 20_000;

/** Starts a built process of the product with the tests' Node, and does not wait until it is ready. */
export async function startProcess({
  app,
  env = {},
  port,
  heapMiB,
  outlivesFile = false,
}: ProcessOptions): Promise<StartedProcess> {
  const entry = join(PROJECT, 'dist/apps', app, 'main.js');
  if (!existsSync(entry)) throw new Error(`${entry} is missing: npm run build`);
  const chosenPort = port ?? (await freePort());
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const command = await RunningCommand.start({
    file: process.execPath,
    // No source maps: they cost a seventh of a start. Stack traces have the lines of the build.
    // If a flag is given twice, Node uses the last one.
    args: [...MEMORY_LIMITS, ...(heapMiB === undefined ? [] : [`--max-old-space-size=${heapMiB}`]), entry],
    cwd: PROJECT,
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, HOST: '127.0.0.1', PORT: String(chosenPort), ...env },
  });
  const running = new StartedProcess(app, chosenPort, command);
  if (!outlivesFile) afterFile(() => running.kill('SIGKILL'));
  return running;
}

export class StartedProcess {
  /** Use `startProcess`. */
  constructor(
    readonly app: ProcessOptions['app'],
    readonly port: number,
    private readonly command: RunningCommand,
  ) {}

  get pid(): number {
    return this.command.pid;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Its stdout and stderr so far. */
  get output(): string {
    return this.command.output;
  }

  get isRunning(): boolean {
    return this.command.isRunning;
  }

  /** Settles when it has ended for any reason. */
  get exited(): Promise<Exit> {
    return this.command.exited;
  }

  /**
   * Waits until `/readyz` answers 200.
   * @throws with the process's output; at once when the process has exited
   */
  async waitForReady(): Promise<this> {
    await waitUntil(() => this.isReady(), {
      what: () => `the ${this.app} on port ${this.port} to be ready. Its output:\n${this.output}`,
      everyMs: 50,
    });
    return this;
  }

  /** Sends a signal and waits for the end. @throws when it still runs after 20 s */
  kill(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    return this.command.end(signal, STOP_DEADLINE_MS);
  }

  /** Sends a signal without waiting, such as SIGSTOP and SIGCONT. */
  signal(signal: NodeJS.Signals): void {
    this.command.signal(signal);
  }

  private async isReady(): Promise<boolean> {
    if (!this.isRunning) {
      const { code, signal } = await this.exited;
      throw new StopWaitingError(
        `The ${this.app} ended (code ${code}, signal ${signal}). Its output:\n${this.output}`,
      );
    }
    const answer = await fetch(`${this.baseUrl}/readyz`, { signal: AbortSignal.timeout(10_000) });
    await answer.arrayBuffer();
    return answer.ok;
  }
}
