import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterFile } from '#test/support/after-file';
import { freePort } from '#test/support/free-port';
import { MEMORY_LIMITS } from '#test/support/memory-limits';
import { RunningCommand, type Exit } from '#test/support/running-command';
import { HopelessError, waitUntil } from '#test/support/wait-until';

export interface ProcessOptions {
  app: 'api' | 'worker' | 'standalone';
  /** On top of PORT and HOST; nothing of the tests' own environment but PATH, HOME, TMPDIR and the compile cache gets through. */
  env?: Readonly<Record<string, string>>;
  /** Where to listen; a free port unless a process is to come back where it was. */
  port?: number;
  /** The old generation's limit, where a test is about memory and production's would take it longer; in MiB. */
  heapMiB?: number;
  /** Whether it serves the next test files too; otherwise it is killed after the file that has started it. */
  outlivesFile?: boolean;
}

const PROJECT = join(import.meta.dirname, '../..');
/** A promise of the product. */
const STOP_DEADLINE_MS = 20_000;

/** Starts one of the product's built processes on the Node that runs the tests, and does not wait for it. */
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
    // Without source maps, which take a seventh of a start; their lines in a trace are the build's.
    // Of a flag that is given twice, the later one counts.
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

  /** What it wrote so far, stdout and stderr. */
  get output(): string {
    return this.command.output;
  }

  get isRunning(): boolean {
    return this.command.isRunning;
  }

  /** Settles when it has ended, for whatever reason. */
  get exited(): Promise<Exit> {
    return this.command.exited;
  }

  /**
   * Waits until `/readyz` answers 200.
   * @throws with the process's output, at once when it has exited
   */
  async waitForReady(): Promise<this> {
    await waitUntil(() => this.isReady(), {
      what: () => `the ${this.app} on port ${this.port} to be ready. Its output:\n${this.output}`,
      everyMs: 50,
    });
    return this;
  }

  /** Sends a signal and waits for the end; what SIGTERM does not end within 20 s fails the test. */
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
      throw new HopelessError(
        `The ${this.app} ended (code ${code}, signal ${signal}). Its output:\n${this.output}`,
      );
    }
    const answer = await fetch(`${this.baseUrl}/readyz`, { signal: AbortSignal.timeout(10_000) });
    await answer.arrayBuffer();
    return answer.ok;
  }
}
