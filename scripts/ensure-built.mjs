// Builds dist/ unless it is newer than everything that it is made from. The build itself takes seconds even when
// nothing has changed; `npm install` has just done it when a newcomer runs the demo.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, rmSync, statSync } from 'node:fs';

const STAMP = 'dist/build.tsbuildinfo';
const SOURCES = [
  'apps/**/*.ts',
  'libs/**/*.ts',
  'apps/*/tsconfig.app.json',
  'tsconfig.json',
  'nest-cli.json',
  'package.json',
];

const changedAt = (file) => statSync(file).mtimeMs;
const isFresh = existsSync(STAMP) && globSync(SOURCES).every((file) => changedAt(file) <= changedAt(STAMP));

if (!isFresh) {
  // Files of sources that are gone would still be loaded.
  rmSync('dist', { recursive: true, force: true });
  const { status } = spawnSync('nest', ['build', 'standalone'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exit(status ?? 1);
}
