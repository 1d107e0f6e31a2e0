import { execFile } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import { unmountWithParent } from '#test/support/end-with-parent';
import { temporaryFolder } from '#test/support/temporary-folder';

const run = promisify(execFile);

/** Only a limit: memory is used for what is written. */
const LARGE_BYTES = 4 * 1024 ** 3;
/** The server may write between the reading of the usage and the change of the size. */
const TRIES = 20;

/** Whether this process may mount a RAM disk: root may, on Linux, unless its container forbids it. */
export async function canMountRamDisk(): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = await temporaryFolder('ram-disk');
  try {
    const disk = await RamDisk.mount(folder.path);
    await disk.unmount();
    return true;
  } catch {
    return false;
  } finally {
    await folder.remove();
  }
}

/** A file system in memory whose size can change at any time, to get a really full disk. */
export class RamDisk {
  /**
   * Mounts it on a folder, which it creates if necessary. The caller calls `unmount`.
   * @throws when this process may not mount
   */
  static async mount(folder: string): Promise<RamDisk> {
    await mkdir(folder, { recursive: true, mode: 0o711 });
    await run('mount', ['-t', 'tmpfs', '-o', `size=${LARGE_BYTES},mode=711`, 'tmpfs', folder]);
    return new RamDisk(folder, unmountWithParent(folder));
  }

  private isMounted = true;

  private constructor(
    private readonly folder: string,
    private readonly cancelExitAction: () => void,
  ) {}

  /** Removes all free space: further writes fail with ENOSPC. */
  async fill(): Promise<void> {
    for (let tries = TRIES; ; tries -= 1) {
      const { blocks, bfree, bsize } = await statfs(this.folder);
      try {
        return await this.resize((blocks - bfree) * bsize);
      } catch (error) {
        if (tries === 0) throw error;
      }
    }
  }

  /** Adds free space again. */
  addSpace(): Promise<void> {
    return this.resize(LARGE_BYTES);
  }

  /** Unmounts it and deletes its content. */
  async unmount(): Promise<void> {
    if (!this.isMounted) return;
    this.isMounted = false;
    await run('umount', ['--lazy', this.folder]);
    this.cancelExitAction();
  }

  private async resize(bytes: number): Promise<void> {
    await run('mount', ['-o', `remount,size=${bytes}`, this.folder]);
  }
}
