import { writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RunningCommand, type Exit } from '#test/support/running-command';
import { waitUntil } from '#test/support/wait-until';

/** A module that gives a process the clock of the file `CLOCK_SHIFT_FILE`. */
const CLOCK_PRELOAD = join(import.meta.dirname, '../support/shifted-clock.mjs');

export interface ProcessOptions {
  /** E.g. `worker 0`. */
  readonly name: string;
  readonly port: number;
  /** The process's main file. */
  readonly entry: string;
  /** Modules that are loaded before the main file. */
  readonly preloads: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** For the file of its clock. */
  readonly folder: string;
  /** Called with each line that the process logs. */
  readonly onLine: (line: string) => void;
}

/** An exit that the suite did not cause. */
export interface UnexpectedExit extends Exit {
  /** The end of its output. */
  readonly lastOutput: string;
}

/** A restart that the suite has caused. */
export interface Restart {
  readonly startedAtMs: number;
  readonly endedAfterMs: number;
}

const LAST_OUTPUT_LENGTH = 1_000;
const READY_DEADLINE_MS = 60_000;
const RESTART_AFTER_MS = 200;

/** A process of the product, which is started again after each end, as every platform does. */
export class ProductProcess {
  private command: RunningCommand | undefined;
  private starts = 0;
  private startedAtMs = 0;
  private closed = false;
  /** Set while the suite ends the process: the time from the end to the restart. */
  private restartAfterMs: number | undefined;
  readonly unexpectedExits: UnexpectedExit[] = [];
  private supervision: Promise<void> = Promise.resolve();
  private readonly clockFile: string;

  constructor(private readonly options: ProcessOptions) {
    this.clockFile = join(options.folder, options.name.replaceAll(' ', '-'));
    writeFileSync(this.clockFile, '0');
  }

  get name(): string {
    return this.options.name;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.options.port}`;
  }

  /** Starts it, and again after every end, until `close`. */
  async start(): Promise<void> {
    this.closed = false;
    const first = await this.launch();
    this.supervision = this.supervise(first);
  }

  /**
   * Ends it with a signal and starts it again `restartAfterMs` after its end. Resolves when it is ready.
   * @returns the time of its start and how long it took to end
   */
  async endAndReturn(signal: 'SIGKILL' | 'SIGTERM', restartAfterMs: number): Promise<Restart> {
    const before = this.starts;
    const signalledAtMs = Date.now();
    this.restartAfterMs = restartAfterMs;
    this.command?.signal(signal);
    await waitUntil(() => this.starts > before, {
      deadlineMs: READY_DEADLINE_MS,
      what: `${this.name} to be started again after ${signal}`,
    });
    const { startedAtMs } = this;
    await this.ready();
    return { startedAtMs, endedAfterMs: startedAtMs - signalledAtMs - restartAfterMs };
  }

  /** Suspends or continues the process. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.command?.signal(signal);
  }

  /** Sets its clock this far ahead, or behind when negative; it follows within 50 ms, also after a restart. */
  async shiftClock(shiftMs: number): Promise<void> {
    const written = `${this.clockFile}.new`;
    await writeFile(written, String(shiftMs));
    // At once, since the process may read at any moment.
    await rename(written, this.clockFile);
  }

  /** Resolves when `/readyz` answers 200. */
  async ready(): Promise<void> {
    await waitUntil(() => this.isReady(), {
      deadlineMs: READY_DEADLINE_MS,
      what: () => `${this.name} to be ready. Its output:\n${this.command?.output.slice(-3_000) ?? ''}`,
      everyMs: 50,
    });
  }

  /** Ends it without a restart, as a platform does that needs fewer processes. @returns its exit, if it was running */
  leave(): Promise<Exit | undefined> {
    return this.end('SIGTERM');
  }

  /** Ends it at once, without a restart. */
  async close(): Promise<void> {
    await this.end('SIGKILL');
  }

  private async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<Exit | undefined> {
    this.closed = true;
    this.command?.signal(signal);
    await this.supervision;
    return this.command?.exited;
  }

  private async supervise(first: RunningCommand): Promise<void> {
    for (let command = first; ; command = await this.launch()) {
      const exit = await command.exited;
      if (this.closed) return;
      const restartAfterMs = this.restartAfterMs;
      this.restartAfterMs = undefined;
      if (restartAfterMs === undefined) {
        this.unexpectedExits.push({ ...exit, lastOutput: command.output.slice(-LAST_OUTPUT_LENGTH) });
      }
      await pause(restartAfterMs ?? RESTART_AFTER_MS);
      if (this.isClosed()) return;
    }
  }

  private isClosed(): boolean {
    return this.closed;
  }

  private async launch(): Promise<RunningCommand> {
    const { entry, preloads, port, env, onLine } = this.options;
    const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
    let rest = '';
    const command = await RunningCommand.start({
      file: process.execPath,
      args: [...[CLOCK_PRELOAD, ...preloads].flatMap((one) => ['--import', one]), entry],
      env: {
        PATH,
        HOME,
        TMPDIR,
        NODE_COMPILE_CACHE,
        HOST: '127.0.0.1',
        PORT: String(port),
        CLOCK_SHIFT_FILE: this.clockFile,
        ...env,
      },
      onOutput: (chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        lines.forEach(onLine);
      },
    });
    this.command = command;
    this.starts += 1;
    this.startedAtMs = Date.now();
    return command;
  }

  private async isReady(): Promise<boolean> {
    const answer = await fetch(`${this.baseUrl}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await answer.arrayBuffer();
    return answer.ok;
  }
}
