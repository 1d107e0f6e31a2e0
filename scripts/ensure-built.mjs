// Builds dist/ unless it is newer than all of its sources: an unnecessary build takes seconds.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, rmSync, statSync } from 'node:fs';

const CONSOLE = ['apps/console/**', 'packages/client/src/**', 'package.json', 'tsconfig.json'];
const PROCESSES = [
  'apps/{api,worker,standalone}/**/*.ts',
  'libs/**/*.ts',
  'apps/*/tsconfig.app.json',
  'tsconfig.json',
  'nest-cli.json',
  'scripts/field-schemas-plugin.mjs',
  'package.json',
];

const changedAt = (file) => statSync(file).mtimeMs;

function ensure({ stamp, sources, output, command, args }) {
  const files = globSync(sources);
  if (existsSync(stamp) && files.every((file) => changedAt(file) <= changedAt(stamp))) return;
  // The output of deleted sources would still be loaded.
  for (const folder of output) rmSync(folder, { recursive: true, force: true });
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

ensure({
  stamp: 'dist/build.tsbuildinfo',
  sources: PROCESSES,
  output: [
    'dist/build.tsbuildinfo',
    'dist/apps/api',
    'dist/apps/worker',
    'dist/apps/standalone',
    'dist/libs',
  ],
  command: 'nest',
  args: ['build', 'standalone'],
});
ensure({
  // The last file that it writes.
  stamp: 'dist/apps/kafka-ingest/main.js',
  sources: [
    'dist/build.tsbuildinfo',
    'package-lock.json',
    'scripts/bundle.mjs',
    'apps/kafka-ingest/**/*.ts',
    'packages/client/src/**',
    'packages/client/package.json',
  ],
  output: ['dist/apps/shared'],
  command: 'node',
  args: ['scripts/bundle.mjs'],
});
ensure({
  stamp: 'packages/client/dist/index.js',
  sources: ['packages/client/src/**', 'packages/client/tsconfig.json', 'tsconfig.json'],
  output: ['packages/client/dist'],
  command: 'tsc',
  args: ['--project', 'packages/client'],
});
ensure({
  stamp: 'dist/apps/console/public/index.html',
  sources: CONSOLE,
  output: ['dist/apps/console'],
  command: 'vite',
  args: ['build', 'apps/console', '--logLevel', 'warn'],
});
