import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** PostgreSQL refuses to run as root: it steps down to this account. */
const NAME = 'postgres';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The account that PostgreSQL runs under: ours, or, for root, `postgres`, which is made if it does not exist. */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const known = find();
  if (known !== undefined) return known;
  execFileSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    NAME,
  ]);
  const made = find();
  if (made === undefined)
    throw new Error(`the account ${NAME} was made and cannot be found; make it by hand`);
  return made;
}

function find(): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${NAME}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** Whether the account may walk down to a folder; what does not exist yet will be made to fit. */
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
