import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Another process uses the folder. `startAdvice` has the advice for this code. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
  readonly code = 'DATA_DIR_IN_USE';

  constructor(folder: string, user: string) {
    super(`${user} uses the data folder ${folder}.`);
  }
}

/** SQLITE_BUSY: another process has the lock (https://sqlite.org/rescode.html). */
const BUSY = 5;

/**
 * Creates the folder and locks it for this process. Node has no file locks, so the lock is SQLite's on an empty file:
 * the system releases it when the process ends, killed or not, so it is never stale. A second file contains the
 * process id, for people only.
 * @returns a function that releases the lock earlier
 * @throws DataDirInUseError at once when another process has the lock
 */
export function lockDataDir(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const pidFile = join(folder, 'in-use.pid');
  // Loaded here: a static import ends an older Node before it can print which version is needed.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const lock = new DatabaseSync(join(folder, 'in-use.lock'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new DataDirInUseError(folder, `Another process${pidIn(pidFile)}`);
  }
  writeFileSync(pidFile, `${String(process.pid)}\n`);
  return () => {
    rmSync(pidFile, { force: true });
    lock.close();
  };
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === BUSY;

/** Returns ` (pid 1234)`, or an empty string when the file cannot be read. */
function pidIn(file: string): string {
  try {
    return ` (pid ${readFileSync(file, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
