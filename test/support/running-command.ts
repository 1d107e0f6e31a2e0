import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { endWithParent } from '#test/support/end-with-parent';
import { LONGEST_WAIT_MS } from '#test/support/wait-until';

export interface Command {
  file: string;
  args: readonly string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  /** The signal for it when this process ends: QUIT if its children have to end, too. KILL by default. */
  parentExitSignal?: 'QUIT' | 'KILL';
  /** The descriptor of a file that gets its stdout; `output` then has only stderr. */
  stdout?: number;
  /** Receives everything that it writes, including what `output` no longer has. */
  onOutput?: (chunk: string) => void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How many characters of the newest output are kept. */
const OUTPUT_LIMIT = 200_000;

/** How long to wait for the rest of its output after its end: a grandchild may keep the pipe open. */
const OUTPUT_GRACE_MS = 500;

/** A child process that ends with this process; its output is kept, and its end can be awaited. */
export class RunningCommand {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  isRunning = true;
  private text = '';

  /** @throws when the file cannot be run */
  static async start(command: Command): Promise<RunningCommand> {
    const { file, args, parentExitSignal = 'KILL', stdout = 'pipe', onOutput, ...options } = command;
    const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', stdout, 'pipe'] });
    const pid = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('spawn', () =>
        child.pid === undefined ? reject(new Error(`${file} has no pid`)) : resolve(child.pid),
      );
    });
    return new RunningCommand(child, pid, endWithParent(pid, parentExitSignal), onOutput);
  }

  private constructor(
    private readonly child: ReturnType<typeof spawn>,
    pid: number,
    cancelExitAction: () => void,
    private readonly onOutput: ((chunk: string) => void) | undefined,
  ) {
    this.pid = pid;
    this.keep(child.stdout);
    this.keep(child.stderr);
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        cancelExitAction();
        const exit = { code, signal };
        this.isRunning = false;
        const grace = setTimeout(() => resolve(exit), OUTPUT_GRACE_MS);
        child.once('close', () => {
          clearTimeout(grace);
          resolve(exit);
        });
      });
    });
  }

  /** The newest 200,000 characters of its stdout and stderr. */
  get output(): string {
    return this.text;
  }

  /** Sends a signal and does not wait for its effect. */
  signal(signal: NodeJS.Signals): void {
    if (this.isRunning) this.child.kill(signal);
  }

  /**
   * Sends a signal and waits for the end.
   * @throws when it still runs after the deadline; it then gets SIGKILL
   */
  async end(signal: NodeJS.Signals, deadlineMs = LONGEST_WAIT_MS): Promise<Exit> {
    this.signal(signal);
    const expiry = new AbortController();
    const late = pause(deadlineMs, undefined, { signal: expiry.signal }).catch(() => undefined);
    const exit = await Promise.race([this.exited, late]);
    expiry.abort();
    if (exit !== undefined) return exit;
    this.signal('SIGKILL');
    throw new Error(`Process ${this.pid} still runs ${deadlineMs} ms after ${signal}:\n${this.output}`);
  }

  private keep(stream: Readable | null): void {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      this.text = (this.text + chunk).slice(-OUTPUT_LIMIT);
      this.onOutput?.(chunk);
    });
  }
}
