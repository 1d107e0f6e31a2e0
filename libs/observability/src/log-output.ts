import { pino } from 'pino';

/** Lines are written so many characters at a time, off the path of what they tell, or after so long. */
const WRITTEN_AT_CHARACTERS = 8_192;
const WRITTEN_AFTER_MS = 50;

/**
 * Gathers log lines for standard output, and writes the rest when the process exits. Pino's own buffer joins and measures
 * what it holds anew with every line, which costs more than to make the line.
 */
export class LogOutput {
  private readonly out = pino.destination({ fd: process.stdout.fd, sync: false });
  private lines: string[] = [];
  private characters = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor() {
    // Before pino's own listeners, which write what they have and close.
    process.prependListener('beforeExit', () => this.flush());
    process.prependListener('exit', () => this.flush());
  }

  write(line: string): void {
    this.lines.push(line);
    this.characters += line.length;
    if (this.characters >= WRITTEN_AT_CHARACTERS) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), WRITTEN_AFTER_MS).unref();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.lines.length === 0) return;
    this.out.write(this.lines.join(''));
    this.lines = [];
    this.characters = 0;
  }
}
