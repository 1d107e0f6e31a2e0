import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf } from '#test/support/documented-page';
import { newProducer } from '#test/support/new-producer';
import { System } from '#test/support/system';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';

const PROJECT = join(import.meta.dirname, '../..');
const PACKAGE = 'packages/client';
const NAME = 'payment-notification-dispatcher-client';
/** The examples of the package's README: the producer's first, then every other operation. */
const [POST = '', READ = ''] = blocksOf(join(PACKAGE, 'README.md'))
  .filter(({ language }) => language === 'js')
  .map(({ text }) => text);

const run = promisify(execFile);
let folder: TemporaryFolder;
let system: System;

/** Packs a local folder. @returns the name of the tarball in the temporary folder */
async function pack(path: string): Promise<string> {
  const { stdout } = await npm(
    ['pack', '--ignore-scripts', `--pack-destination=${folder.path}`, path],
    PROJECT,
  );
  return stdout.trim();
}

/** Runs npm without a registry and without the user's cache. */
function npm(args: readonly string[], cwd: string): Promise<{ stdout: string }> {
  const { PATH, HOME } = process.env;
  const flags = ['--offline', '--no-audit', '--no-fund', '--loglevel=error', `--cache=${folder.path}/cache`];
  return run('npm', [...args, ...flags], { cwd, env: { PATH, HOME } });
}

/** Runs an example as a file of the folder where the package is installed. */
async function runExample(name: string, text: string, env: NodeJS.ProcessEnv): Promise<string> {
  await writeFile(join(folder.path, name), text);
  const { stdout } = await run(process.execPath, [name], {
    cwd: folder.path,
    env: { API: system.api.baseUrl, ...env },
  });
  return stdout;
}

/** Compiles texts there, by their file names, with the strictest rules. @returns the compiler's messages */
async function compile(texts: Readonly<Record<string, string>>): Promise<string[]> {
  const names = Object.keys(texts);
  await Promise.all(names.map((name) => writeFile(join(folder.path, name), texts[name] ?? '')));
  const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
  const types = ['--types', 'node', '--typeRoots', join(PROJECT, 'node_modules/@types')];
  const flags = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
  const { stdout } = await run(process.execPath, [tsc, ...flags, ...types, ...names], {
    cwd: folder.path,
  }).catch((error: { readonly stdout: string }) => error);
  return stdout.split('\n').filter((line) => line !== '');
}

beforeAll(async () => {
  [folder, system] = await Promise.all([temporaryFolder('client'), System.shared(0)]);
  await writeFile(join(folder.path, 'package.json'), '{ "private": true, "type": "module" }');
  // The dependency and its own come from this repository: tests use no network.
  const tarballs = await Promise.all(
    [PACKAGE, 'node_modules/openapi-fetch', 'node_modules/openapi-typescript-helpers'].map((path) =>
      pack(`./${path}`),
    ),
  );
  await npm(['install', '--ignore-scripts', ...tarballs.map((file) => `./${file}`)], folder.path);
});
afterAll(async () => {
  await system.stop();
  await folder.remove();
});

describe('packages/client, installed from its tarball', () => {
  test('the client package has its built code, types, README, licence and changes, and nothing else', async () => {
    const installed = join(folder.path, 'node_modules', NAME);
    const files = await readdir(installed, { recursive: true });
    expect(files.filter((file) => !file.startsWith('dist')).toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    const built = files.filter((file) => file.startsWith('dist/'));
    expect(built).toContain('dist/index.js');
    expect(built.filter((file) => !/^dist\/[a-z-]+(\.js|\.d\.ts)$/.test(file))).toEqual([]);
    const { version, dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies)).toEqual(['openapi-fetch']);
    expect(await readFile(join(installed, 'CHANGELOG.md'), 'utf8')).toContain(`## ${version}\n`);
  });

  test('the examples in the README of the client package compile, and a wrong event type in one does not', async () => {
    const wrong = POST.replace("'wire.status'", "'wire.state'");
    expect(wrong).not.toBe(POST);
    expect(await compile({ 'post.mts': POST, 'read.mts': READ, 'wrong.mts': wrong })).toEqual([
      expect.stringMatching(
        /^wrong\.mts\(\d+,\d+\): error TS\d+: Type '"wire\.state"' is not assignable to type/,
      ),
    ]);
  });

  test('the first example in the README of the client package posts an event, and finds it when it is run again', async () => {
    const env = { PRODUCER_KEY: (await newProducer(system.client)).key };
    expect(await runExample('post.js', POST, env)).toMatch(/^committed as [\da-f-]{36}\n$/);
    expect(await runExample('post.js', POST, env)).toMatch(
      /^committed as [\da-f-]{36}, by an earlier request\n$/,
    );
  });

  test('the second example in the README of the client package lists the dead deliveries', async () => {
    expect(await runExample('read.js', READ, { KEY: system.adminKey })).toMatch(/^(.+\n)*(and|no) more\n$/);
  });
});
