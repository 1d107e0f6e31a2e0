import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Another process uses the folder; `startAdvice` knows the code and says what to do. */
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
 * Keeps every other process off a folder for as long as this one lives; makes the folder. The lock is SQLite's on an empty
 * file, since Node has no lock of its own: the system releases it when its process ends, killed or not, so none is
 * ever stale. Beside it lies the process id, which is for people only.
 * @returns how to release it earlier
 * @throws DataDirInUseError at once when another process has the lock
 */
export function lockDataDir(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const pidFile = join(folder, 'in-use.pid');
  // Asked for when it is needed: a static import ends an older Node before it can say what is wrong.
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

/** ` (pid 1234)`; nothing where it cannot be read. */
function pidIn(file: string): string {
  try {
    return ` (pid ${readFileSync(file, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
