import { execFile } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import { unmountWithUs } from '#test/support/end-with-parent';
import { temporaryFolder } from '#test/support/temporary-folder';

const run = promisify(execFile);

/** Only a limit: memory is taken for what is written. */
const ROOMY_BYTES = 4 * 1024 ** 3;
/** Somebody else may write between our look and our step. */
const TRIES = 20;

/** Whether this process may mount one: root may, on Linux, unless its container forbids it. */
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

/** A file system in memory whose size can be changed at any time: the way to a disk that is really full. */
export class RamDisk {
  /**
   * Mounts it on a folder, which is made if need be. Whoever calls this calls `unmount`.
   * @throws when this process may not
   */
  static async mount(folder: string): Promise<RamDisk> {
    await mkdir(folder, { recursive: true, mode: 0o711 });
    await run('mount', ['-t', 'tmpfs', '-o', `size=${ROOMY_BYTES},mode=711`, 'tmpfs', folder]);
    return new RamDisk(folder, unmountWithUs(folder));
  }

  private isMounted = true;

  private constructor(
    private readonly folder: string,
    private readonly unleash: () => void,
  ) {}

  /** Takes away all room that is not used: whoever needs more is told ENOSPC. */
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

  /** Gives the room back. */
  makeRoom(): Promise<void> {
    return this.resize(ROOMY_BYTES);
  }

  /** Takes it away with all that is on it. */
  async unmount(): Promise<void> {
    if (!this.isMounted) return;
    this.isMounted = false;
    await run('umount', ['--lazy', this.folder]);
    this.unleash();
  }

  private async resize(bytes: number): Promise<void> {
    await run('mount', ['-o', `remount,size=${bytes}`, this.folder]);
  }
}
