import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file that only its owner may read, completely or not at all: if the process or the machine ends in between, a
 * later start finds the complete text or no file.
 */
export function writeWhole(file: string, text: string): void {
  const unfinished = `${file}.unfinished`;
  // An interrupted start may have left one; its owner and mode must not be inherited.
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

/** Writes the folder, which contains the new name, to disk. Windows cannot open a folder, and does not need this. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
