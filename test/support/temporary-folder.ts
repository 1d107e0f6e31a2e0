import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeWithParent } from '#test/support/end-with-parent';

export interface TemporaryFolder {
  path: string;
  remove(): Promise<void>;
}

/** A new folder that is removed with this process. Other users may enter it, because PostgreSQL does not run as root. */
export async function temporaryFolder(purpose: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), `dispatcher-test-${purpose}-`));
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
