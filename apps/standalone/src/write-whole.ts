import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file that only its owner may read, wholly or not at all: whatever ends the process or the machine in
 * between, a later start finds the whole text or no file.
 */
export function writeWhole(file: string, text: string): void {
  const unfinished = `${file}.unfinished`;
  // A start that was cut off may have left one; who owns it and who may read it must not be inherited.
  rmSync(unfinished, { force: true });
  try {
    writeFileSync(unfinished, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  flushFolder(dirname(file));
}

/** The new name is in the folder, which reaches the disk on its own. Windows cannot open a folder, and need not. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
