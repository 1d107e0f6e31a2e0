import { appendFileSync, existsSync, renameSync, statSync } from 'node:fs';

/** With the former file, twice this is kept. */
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * The server's own log, in a file that only this account can read. A full file becomes `<file>.1`, in place of the former
 * one, so the log never fills the disk.
 */
export class ServerLog {
  private bytes: number;

  /** @param maxBytes at most this much is in each of the two files */
  constructor(
    private readonly file: string,
    private readonly maxBytes = MAX_BYTES,
  ) {
    this.bytes = existsSync(file) ? statSync(file).size : 0;
  }

  /** Never throws: a full disk must not end the process. */
  write(chunk: Buffer): void {
    try {
      if (this.bytes + chunk.length > this.maxBytes && this.bytes > 0) {
        renameSync(this.file, `${this.file}.1`);
        this.bytes = 0;
      }
      appendFileSync(this.file, chunk, { mode: 0o600 });
      this.bytes += chunk.length;
    } catch {
      // The server goes on without this line.
    }
  }
}
