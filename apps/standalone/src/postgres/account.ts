import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The user and group `nobody` on Linux. */
const NOBODY: Account = { uid: 65_534, gid: 65_534 };

/**
 * Returns the account for PostgreSQL, which refuses to run as root; undefined: the account of this process.
 * @throws as root on systems other than Linux, where `nobody` can have another number
 */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (process.platform === 'linux') return NOBODY;
  throw new Error(
    'PostgreSQL does not run as root: start the dispatcher as another user, or set DATABASE_URL.',
  );
}

/** Whether the account may enter every existing folder of a path. */
export function canReach(account: Account | undefined, path: string): boolean {
  if (account === undefined) return true;
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat !== undefined) {
      const bit = stat.uid === account.uid ? 0o100 : stat.gid === account.gid ? 0o010 : 0o001;
      if ((stat.mode & bit) === 0) return false;
    }
    if (folder === dirname(folder)) return true;
  }
}
