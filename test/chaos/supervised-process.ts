import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RunningCommand, type Exit } from '#test/support/running-command';
import { waitUntil } from '#test/support/wait-until';

export interface SupervisedOptions {
  readonly app: 'api' | 'worker';
  /** `worker 0`. */
  readonly name: string;
  readonly port: number;
  /** The folder with `dist/` and package.json. */
  readonly build: string;
  readonly env: Readonly<Record<string, string>>;
  /** Hears each line that it logs. */
  readonly onLine: (line: string) => void;
}

/** An end that nobody asked for. */
export interface UnexpectedExit extends Exit {
  /** What it logged last. */
  readonly lastWords: string;
}

/** An end that was asked for, and the start after it. */
export interface Restart {
  readonly startedAtMs: number;
  readonly endedAfterMs: number;
}

const LAST_WORDS = 1_000;
const READY_DEADLINE_MS = 60_000;
const RESTART_AFTER_MS = 200;

/** One of the product's processes that is started again whenever it has ended, as every platform does. */
export class SupervisedProcess {
  private command: RunningCommand | undefined;
  private starts = 0;
  private startedAtMs = 0;
  private closed = false;
  /** An end that was asked for; the time until the restart. */
  private restartAfterMs: number | undefined;
  readonly unexpectedExits: UnexpectedExit[] = [];
  private supervision: Promise<void> = Promise.resolve();

  constructor(private readonly options: SupervisedOptions) {}

  get name(): string {
    return this.options.name;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.options.port}`;
  }

  /** Starts it, and again after every end, until `close`. */
  async start(): Promise<void> {
    const first = await this.launch();
    this.supervision = this.supervise(first);
  }

  /**
   * Ends it with a signal; it is started again `restartAfterMs` after its end. Resolves when it is ready again, with
   * the time at which it was started, and what it took to end.
   */
  async endAndReturn(signal: 'SIGKILL' | 'SIGTERM', restartAfterMs: number): Promise<Restart> {
    const before = this.starts;
    const toldAtMs = Date.now();
    this.restartAfterMs = restartAfterMs;
    this.command?.signal(signal);
    await waitUntil(() => this.starts > before, {
      deadlineMs: READY_DEADLINE_MS,
      what: `${this.name} to be started again after ${signal}`,
    });
    const { startedAtMs } = this;
    await this.ready();
    return { startedAtMs, endedAfterMs: startedAtMs - toldAtMs - restartAfterMs };
  }

  /** SIGSTOP and SIGCONT. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.command?.signal(signal);
  }

  /** Resolves when `/readyz` answers 200. */
  async ready(): Promise<void> {
    await waitUntil(() => this.isReady(), {
      deadlineMs: READY_DEADLINE_MS,
      what: () => `${this.name} to be ready. Its output:\n${this.command?.output.slice(-3_000) ?? ''}`,
      everyMs: 50,
    });
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    this.closed = true;
    this.command?.signal('SIGKILL');
    await this.supervision;
  }

  private async supervise(first: RunningCommand): Promise<void> {
    for (let command = first; ; command = await this.launch()) {
      const exit = await command.exited;
      if (this.closed) return;
      const restartAfterMs = this.restartAfterMs;
      this.restartAfterMs = undefined;
      if (restartAfterMs === undefined) {
        this.unexpectedExits.push({ ...exit, lastWords: command.output.slice(-LAST_WORDS) });
      }
      await pause(restartAfterMs ?? RESTART_AFTER_MS);
      if (this.isClosed()) return;
    }
  }

  private isClosed(): boolean {
    return this.closed;
  }

  private async launch(): Promise<RunningCommand> {
    const { app, port, build, env, onLine } = this.options;
    const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
    let rest = '';
    const command = await RunningCommand.start({
      file: process.execPath,
      args: [join(build, 'dist/apps', app, 'src/main.js')],
      cwd: build,
      env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, HOST: '127.0.0.1', PORT: String(port), ...env },
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
