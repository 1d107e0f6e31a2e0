import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PROJECT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

interface Release {
  readonly version: string;
  readonly commit: string;
}

interface Lock {
  readonly packages: Readonly<Record<string, { version?: string; dev?: boolean }>>;
}

/** Builds in a third of the time: the release passed its own checks. */
const WITHOUT_CHECKS = {
  extends: './apps/standalone/tsconfig.app.json',
  compilerOptions: {
    noCheck: true,
    incremental: false,
    tsBuildInfoFile: null,
    sourceMap: false,
    rootDir: '.',
    outDir: './dist',
  },
  include: [
    'apps/api/src/**/*.ts',
    'apps/worker/src/**/*.ts',
    'apps/standalone/src/**/*.ts',
    'libs/*/src/**/*.ts',
  ],
  exclude: ['**/*.spec.ts', 'libs/*/testing', 'libs/*/src/testing'],
};

/**
 * Builds the last release (test/released/release.json) from its commit in `dist/released`, without the console, unless it is there.
 * @returns its version and its `dist/apps`
 * @throws when the commit is not in the clone, with what to do
 */
export async function buildReleased(): Promise<{ version: string; apps: string }> {
  const release: Release = JSON.parse(await readFile(join(PROJECT, 'test/released/release.json'), 'utf8'));
  const { version, commit } = release;
  const folder = join(PROJECT, 'dist/released', commit);
  const apps = join(folder, 'dist/apps');
  if (existsSync(folder)) return { version, apps };
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: PROJECT }).status !== 0)
    throw new Error(
      `Version ${version} (commit ${commit}) is not in this clone: fetch the history with \`git fetch --unshallow\`.`,
    );
  const draft = `${folder}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await run('sh', ['-c', 'git -C "$1" archive "$2" | tar x -C "$3"', 'sh', PROJECT, commit, draft]);
  await addPackages(draft);
  await writeFile(join(draft, 'tsconfig.released.json'), JSON.stringify(WITHOUT_CHECKS));
  const bin = join(draft, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  await run('nest', ['build', 'standalone', '--path', 'tsconfig.released.json'], { cwd: draft, env });
  await run(process.execPath, ['scripts/bundle.mjs'], { cwd: draft, env });
  await rename(draft, folder);
  return { version, apps };
}

/** Links this project's packages where they are those of the release, and otherwise installs the release's. */
async function addPackages(folder: string): Promise<void> {
  const [theirs, ours] = await Promise.all([lockIn(folder), lockIn(PROJECT)]);
  const isSame = Object.entries(theirs.packages).every(
    ([path, { version, dev }]) => path === '' || dev === true || ours.packages[path]?.version === version,
  );
  if (isSame) await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  else await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}

async function lockIn(folder: string): Promise<Lock> {
  const lock: Lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  return lock;
}
