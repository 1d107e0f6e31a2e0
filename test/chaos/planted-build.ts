import { cp, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PLANTED_FAULTS, type Planted } from '#test/chaos/planted-faults';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';

/**
 * A copy of the build with a fault planted in it; production code has no switch for that.
 * @throws when an anchor does not occur exactly once
 */
export async function plant(project: string, planted: Planted): Promise<TemporaryFolder> {
  const folder = await temporaryFolder('planted');
  try {
    await cp(join(project, 'dist'), join(folder.path, 'dist'), { recursive: true });
    await cp(join(project, 'package.json'), join(folder.path, 'package.json'));
    await symlink(await realpath(join(project, 'node_modules')), join(folder.path, 'node_modules'));
    for (const { file, find, replace } of PLANTED_FAULTS[planted]) {
      const path = join(folder.path, 'dist', file);
      const parts = (await readFile(path, 'utf8')).split(find);
      if (parts.length !== 2) {
        throw new Error(
          `The planted fault ${planted} needs a new anchor: “${find}” occurs ${parts.length - 1} times in dist/${file}`,
        );
      }
      await writeFile(path, parts.join(replace));
    }
    return folder;
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
