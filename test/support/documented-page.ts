import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endWithParent } from '#test/support/end-with-parent';
import { waitUntil } from '#test/support/wait-until';

const PROJECT = join(import.meta.dirname, '../..');

/** A fenced code block of a document. */
export interface Block {
  language: string;
  text: string;
  /** The JSON block directly after an `sh` block: the output of its last command. */
  expected?: string;
}

/** The fenced code blocks of a document, in order. `path` is relative to the project. */
export function blocksOf(path: string): Block[] {
  const page = readFileSync(join(PROJECT, path), 'utf8');
  const blocks: Block[] = [];
  for (const [, language = '', text = ''] of page.matchAll(/^```(\w*)\n(.*?)^```$/gms)) {
    const previous = blocks.at(-1);
    if (language === 'json' && previous?.language === 'sh') previous.expected = text;
    else blocks.push({ language, text });
  }
  return blocks;
}

const END = /^::end (\d+)$/m;

/** A bash session that runs the blocks of a document in sequence, as a reader would. */
export class PageSession {
  private output = '';
  private number = 0;
  private readonly cancelExitAction: () => void;
  private readonly closed: Promise<unknown>;

  /**
   * @param folder the working directory of the commands, and where the document's files are written
   * @param ports the free port of this run for each port in the document
   */
  static start(folder: string, env: NodeJS.ProcessEnv, ports: Readonly<Record<string, number>>): PageSession {
    const { HOME, TMPDIR, NODE_COMPILE_CACHE, PATH = '' } = process.env;
    const path = `${dirname(process.execPath)}:${PATH}`;
    const bash = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      detached: true,
      env: { HOME, TMPDIR, NODE_COMPILE_CACHE, ...env, PATH: path },
    });
    return new PageSession(bash, folder, ports);
  }

  private constructor(
    private readonly bash: ChildProcessWithoutNullStreams,
    private readonly folder: string,
    private readonly ports: Readonly<Record<string, number>>,
  ) {
    this.closed = once(bash, 'close');
    // A negative id is a process group: bash and everything that the document starts.
    this.cancelExitAction = bash.pid === undefined ? () => undefined : endWithParent(-bash.pid, 'KILL');
    for (const stream of [bash.stdout, bash.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (this.output += chunk));
  }

  /** The output of the document's commands and servers since the last block began. */
  get printed(): string {
    return this.output;
  }

  /** Writes a program of the document to the file named in its first line, `// name …`. */
  write({ text }: Block): void {
    const name = /^\/\/ (\S+)/.exec(text)?.[1];
    if (name === undefined) throw new Error(`No file name in the first line of:\n${text}`);
    writeFileSync(join(this.folder, name), this.withPorts(text));
  }

  /**
   * Runs the text of a block and returns its output.
   * @throws when its last command fails
   */
  async run(text: string): Promise<string> {
    const file = join(this.folder, `.block-${String(++this.number)}.sh`);
    writeFileSync(file, this.withPorts(text));
    this.output = '';
    this.bash.stdin.write(`source ${file}; printf '\\n::end %d\\n' $?\n`);
    await waitUntil(() => END.test(this.output) || this.bash.exitCode !== null, {
      what: () => `the end of:\n${text}\nIt printed:\n${this.output}`,
    });
    const printed = this.output.split('\n::end ')[0] ?? '';
    if (END.exec(this.output)?.[1] !== '0')
      throw new Error(`The command failed:\n${text}\nIt printed:\n${this.output}`);
    return printed;
  }

  /** Ends the session and every process that the document has started. */
  async end(): Promise<void> {
    this.cancelExitAction();
    if (this.bash.pid !== undefined) process.kill(-this.bash.pid, 'SIGKILL');
    await this.closed;
  }

  private withPorts(text: string): string {
    return Object.entries(this.ports).reduce(
      (changed, [port, here]) => changed.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), String(here)),
      text,
    );
  }
}

/** The value of the last line that is JSON. */
export function lastJson(printed: string): unknown {
  for (const line of printed.split('\n').toReversed()) {
    if (!/^[[{]/.test(line)) continue;
    const value: unknown = JSON.parse(line);
    return value;
  }
  throw new Error(`No JSON in:\n${printed}`);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Texts that differ between runs: ids, times, secrets and counts. */
const VARIES = /\d|^[\w-]{30,}$/;

/**
 * The shape of a printed value: its keys, and its values unless they differ between runs.
 * @param sample the documented value; a key `…` in it represents all keys that it does not name
 */
export function shapeOf(value: unknown, sample: unknown = value): unknown {
  if (Array.isArray(value))
    return value.map((item: unknown, index) =>
      shapeOf(item, Array.isArray(sample) ? (sample[index] ?? sample[0]) : undefined),
    );
  if (isObject(value)) {
    const named = isObject(sample) ? Object.keys(sample).filter((key) => key !== '…') : [];
    const keys = isObject(sample) && '…' in sample ? named : Object.keys(value);
    return Object.fromEntries(
      keys.map((key) => [key, shapeOf(value[key], isObject(sample) ? sample[key] : undefined)]),
    );
  }
  return typeof value === 'string' && VARIES.test(value) ? 'text' : value;
}
