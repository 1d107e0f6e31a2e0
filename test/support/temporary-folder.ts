import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeWithParent } from '#test/support/end-with-parent';

export interface TemporaryFolder {
  path: string;
  remove(): Promise<void>;
}

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';
/** Several times what all servers of a run use at a time. */
const ENOUGH_BYTES = 8 * 1024 ** 3;

/** A new folder that is removed with this process. Other users may enter it, because PostgreSQL does not run as root. */
export async function temporaryFolder(purpose: string, parent = tmpdir()): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, `dispatcher-test-${purpose}-`));
  await chmod(path, 0o711);
  const cancelExitAction = removeWithParent(path);
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
      cancelExitAction();
    },
  };
}

/**
 * A new folder in memory if there is room. A run creates and drops about 180 databases, each of hundreds of files. Ext4
 * without a journal skips the inodes of recently deleted files one by one, so that a database took 0.5 s of processor time.
 */
export async function folderInMemory(purpose: string): Promise<TemporaryFolder> {
  const room = await statfs(MEMORY).catch(() => undefined);
  const isEnough = room !== undefined && room.bavail * room.bsize >= ENOUGH_BYTES;
  return temporaryFolder(purpose, isEnough ? MEMORY : tmpdir());
}
