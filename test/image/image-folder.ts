import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROJECT = join(import.meta.dirname, '../..');

/** What the Dockerfile's last stage leads to. */
export interface Image {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: number;
}

/**
 * Carries the Dockerfile out without an engine: its packages' stage for real, its COPYs from this project (whose `dist` is what
 * the build's stage makes), and of the base image nothing but the libraries that Node is linked with.
 */
export async function makeImage(folder: string): Promise<Image> {
  const [, ...stages] = (await readFile(join(PROJECT, 'Dockerfile'), 'utf8'))
    .replaceAll('\\\n', ' ')
    .split(/^FROM /m);
  const stage = (name: RegExp): string[] => (stages.find((one) => name.test(one)) ?? '').split('\n').slice(1);
  const packages = join(folder, 'packages');
  await mkdir(packages);
  for (const file of ['package.json', 'package-lock.json'])
    await cp(join(PROJECT, file), join(packages, file));
  for (const line of stage(/^source AS production-packages$/m))
    if (line.startsWith('RUN ')) await run('sh', ['-ec', line.slice(4)], { cwd: packages });

  const root = join(folder, 'root');
  const last = stages.at(-1)?.split('\n') ?? [];
  const from: Readonly<Record<string, (path: string) => string>> = {
    source: (path) => (path === '/usr/local/bin/node' ? process.execPath : path),
    build: (path) => path.replace(/^\/app/, PROJECT),
    'production-packages': (path) => path.replace(/^\/app/, packages),
  };
  for (const line of last) {
    const [, stageName, paths = ''] = /^COPY (?:--from=(\S+) )?(.+)$/.exec(line) ?? [];
    const [target, ...sources] = paths.split(' ').toReversed();
    if (target === undefined) continue;
    for (const source of sources) {
      const path = stageName === undefined ? join(PROJECT, source) : (from[stageName]?.(source) ?? source);
      const isFolder = /(node_modules|dist\/.+)$/.test(source);
      const to = join(root, target.startsWith('/') ? '' : 'app', target);
      await cp(path, isFolder ? to : join(to, source.split('/').at(-1) ?? ''), { recursive: true });
    }
  }
  await copyLibraries(root);
  for (const place of ['dev', 'proc', 'tmp', 'run/secrets'])
    await mkdir(join(root, place), { recursive: true });

  const user = last.find((line) => line.startsWith('USER '))?.slice(5) ?? '0';
  const env = last.filter((line) => line.startsWith('ENV ')).map((line) => line.slice(4).split('='));
  return { root, user: Number(user.split(':')[0]), env: Object.fromEntries(env) };
}

async function copyLibraries(root: string): Promise<void> {
  const { stdout } = await run('ldd', [process.execPath]);
  for (const [path] of stdout.matchAll(/\/\S+\.so\S*/g)) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await cp(path, join(root, path), { dereference: true });
  }
}

/** Bytes of the files under a folder. */
export async function bytesIn(path: string): Promise<number> {
  const { stdout } = await run('du', ['--apparent-size', '-sb', path]);
  return Number(stdout.split('\t')[0]);
}
