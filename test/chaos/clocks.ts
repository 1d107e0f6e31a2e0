import { writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';

/** A module that gives a process the clock of the file `CLOCK_SHIFT_FILE`. */
export const CLOCK_PRELOAD = join(import.meta.dirname, '../support/shifted-clock.mjs');

export const HOUR_MS = 3_600_000;

/** The wall clocks of the processes: each can jump while its process runs. */
export class Clocks {
  static async create(): Promise<Clocks> {
    return new Clocks(await temporaryFolder('clocks'));
  }

  private constructor(private readonly folder: TemporaryFolder) {}

  /** The variables that give a process its own clock, which is right at first. */
  environmentOf(name: string): Record<string, string> {
    const file = this.fileOf(name);
    writeFileSync(file, '0');
    return { CLOCK_SHIFT_FILE: file };
  }

  /** Sets the clock this far ahead, or behind when negative; the process follows within 50 ms, also after a restart. */
  async shift(name: string, shiftMs: number): Promise<void> {
    const written = `${this.fileOf(name)}.new`;
    await writeFile(written, String(shiftMs));
    // At once, since the process may read at any moment.
    await rename(written, this.fileOf(name));
  }

  async remove(): Promise<void> {
    await this.folder.remove();
  }

  private fileOf(name: string): string {
    return join(this.folder.path, name.replaceAll(' ', '-'));
  }
}
