/**
 * Plants each fault of faults.txt alone in a copy of the project, runs the spec files that may catch it, and prints which
 * test did. First runs them without a fault: a spec that fails anyway catches nothing. `npm run mutation -- scope` plants the
 * faults of one area. Needs a build; takes half an hour.
 */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { FAULTS, type Fault } from '#test/mutation/faults';

const PROJECT = join(import.meta.dirname, '../..');
const LEFT_OUT = new Set(['node_modules', '.git', '.data']);
const LONGEST_RUN_MS = 600_000;

const copy = await mkdtemp(join(tmpdir(), 'dispatcher-mutation-'));

/** The result file of Jest and of Vitest's JSON reporter. */
interface Result {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}

function command(spec: string, output: string): string[] {
  const file = `${spec}.spec.ts`;
  const jest = ['node_modules/jest/bin/jest.js', '--silent', '--json', `--outputFile=${output}`, file];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config=test/vitest.config.ts', '--bail=1'];
  return spec.startsWith('test/')
    ? [...vitest, '--reporter=json', `--outputFile=${output}`, file]
    : ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', ...jest];
}

/** Runs one spec file of the copy. @returns the titles of its failed tests; undefined: it could not be run */
async function failuresOf(spec: string): Promise<string[] | undefined> {
  const output = join(copy, 'mutation-result.json');
  await rm(output, { force: true });
  const child = spawn(process.execPath, command(spec, output), { cwd: copy, stdio: 'ignore' });
  // Vitest ends its servers on this signal, and exits as if it had not been sent.
  const timer = setTimeout(() => child.kill(), LONGEST_RUN_MS);
  await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  if (child.killed) return ['does not end'];
  const text = await readFile(output, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { numPassedTests, testResults }: Result = JSON.parse(text);
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title),
  );
  return numPassedTests + failed.length === 0 ? undefined : failed;
}

/** Writes a source file and what the build makes of it. The processes' bundles are made again only for tests that start them. */
async function write(file: string, text: string, specs: readonly string[]): Promise<void> {
  await writeFile(join(copy, file), text);
  const compilerOptions = {
    module: ModuleKind.ESNext,
    target: ScriptTarget.ES2023,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    useDefineForClassFields: false,
  };
  const { outputText } = transpileModule(text, { compilerOptions, fileName: file });
  await writeFile(join(copy, 'dist', file.replace(/\.ts$/, '.js')), outputText);
  if (!specs.some((spec) => spec.startsWith('test/api/'))) return;
  const bundling = spawn(process.execPath, ['scripts/bundle.mjs'], { cwd: copy, stdio: 'inherit' });
  await new Promise((resolve) => bundling.on('close', resolve));
}

/** @returns the test that catches the fault; null: none does */
async function catcherOf({ file, text, replacement, specs }: Fault): Promise<string | null> {
  const source = await readFile(join(copy, file), 'utf8');
  const [before, after, ...more] = source.split(text);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} does not have “${text}” once`);
  await write(file, before + replacement + after, specs);
  try {
    for (const spec of specs) {
      const failures = await failuresOf(spec);
      if (failures === undefined) return `${spec} cannot be run`;
      if (failures[0] !== undefined) return `${spec}: ${failures[0]}`;
    }
    return null;
  } finally {
    await write(file, source, specs);
  }
}

const areas = new Set(process.argv.slice(2));
const faults = FAULTS.filter(({ area }) => areas.size === 0 || areas.has(area));
const missed: string[] = [];
try {
  await cp(PROJECT, copy, {
    recursive: true,
    filter: (from) => !LEFT_OUT.has(relative(PROJECT, from)),
  });
  await symlink(join(PROJECT, 'node_modules'), join(copy, 'node_modules'));
  for (const spec of new Set(faults.flatMap(({ specs }) => specs))) {
    const failures = await failuresOf(spec);
    if (failures === undefined || failures.length > 0)
      throw new Error(`${spec} fails without a fault: ${failures?.join('; ') ?? 'it cannot be run'}`);
  }
  for (const fault of faults) {
    const catcher = await catcherOf(fault);
    if (catcher === null) missed.push(fault.name);
    process.stdout.write(`| ${fault.area} | ${fault.name} | ${catcher ?? '**not caught**'} |\n`);
  }
} finally {
  await rm(copy, { recursive: true, force: true });
}
process.stdout.write(`${faults.length - missed.length} of ${faults.length} caught\n`);
if (missed.length > 0) process.exitCode = 1;
