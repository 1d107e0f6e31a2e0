import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TIMESTAMP_UNITS, type TimestampUnit } from '#libs/contracts';
import { verifyNotification } from '#libs/signing';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';

const VERIFIERS = join(import.meta.dirname, '../../verifiers');

/** A request, what was agreed, and the verdict of the check. */
interface Vector {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly secret: string;
  readonly unit: TimestampUnit;
  readonly nowMs: number;
  readonly toleranceSeconds: number;
  readonly verdict: string;
}
const VECTORS: readonly Vector[] = JSON.parse(readFileSync(join(VERIFIERS, 'vectors.json'), 'utf8'));

/** The input of the languages' programs; see verifiers/README.md. */
const LINES = VECTORS.map((vector) => {
  const { method, url, body, secret, unit, nowMs, toleranceSeconds } = vector;
  const headers = Object.entries(vector.headers).map(([name, value]) => `${name}: ${value}`);
  return [method, url, body, secret, unit, String(nowMs), String(toleranceSeconds), ...headers]
    .map((field) => Buffer.from(field).toString('base64'))
    .join('\t');
});

interface Language {
  readonly name: string;
  /** In verifiers/. */
  readonly folder: string;
  /** Without this program the language is skipped, except in CI if it is required there. */
  readonly needs: string;
  readonly isRequired: boolean;
  /** Run in the folder; `$out` is an empty folder. The last one is the language's `run-vectors`. */
  readonly commands: readonly string[];
}
const language = (
  name: string,
  folder: string,
  needs: string,
  commands: readonly string[],
  isRequired = false,
): Language => ({ name, folder, needs, isRequired, commands });

const LANGUAGES = [
  language('TypeScript', 'typescript', 'node', ['node run-vectors.ts'], true),
  language('Python', 'python', 'python3', ['python3 -B run_vectors.py'], true),
  language('Go', 'go', 'go', ['go build -o "$out/run-vectors" ./runvectors', '"$out/run-vectors"'], true),
  language('Java', 'java', 'javac', ['javac -d "$out" *.java', 'java -cp "$out" RunVectors'], true),
  language('C# on .NET', 'csharp', 'dotnet', [
    'cp *.cs *.csproj "$out"',
    'dotnet build "$out" --nologo --verbosity quiet --output "$out/bin" >&2',
    'dotnet "$out/bin/RunVectors.dll"',
  ]),
  language('C# on Mono', 'csharp', 'mcs', ['mcs -out:"$out/run.exe" *.cs', 'mono "$out/run.exe"']),
  language('PHP', 'php', 'php', ['php run_vectors.php']),
  language('Ruby', 'ruby', 'ruby', ['ruby run_vectors.rb']),
  language('the shell', 'shell', 'openssl', ['sh run-vectors.sh'], true),
];

/** Node is the one that runs the tests: an older one on the PATH may not run TypeScript. */
const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
const isInstalled = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], { env: { ...process.env, PATH } }).status === 0;

/** In CI a required language without its program runs too, and fails. */
function isToRun({ name, needs, isRequired }: Language): boolean {
  if (isInstalled(needs) || (isRequired && process.env['CI'] !== undefined)) return true;
  process.stdout.write(`The verifier for ${name} is skipped: ${needs} is not on the PATH.\n`);
  return false;
}

/** The verdicts of a language's function on the vectors. */
function verdictsOf({ folder, commands }: Language, out: string): string[] {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', commands.join(' && ')], {
    cwd: join(VERIFIERS, folder),
    input: `${LINES.join('\n')}\n`,
    encoding: 'utf8',
    // Go and Python have defaults that depend on the machine: a newer toolchain from the network, the locale.
    env: { ...process.env, PATH, out, GOTOOLCHAIN: 'local', GOFLAGS: '', PYTHONUTF8: '1' },
  });
  if (status !== 0) throw new Error(`${commands.join(' && ')} failed:\n${stderr}`);
  return stdout.trimEnd().split('\n');
}

const named = (verdicts: readonly (string | undefined)[]): string[] =>
  VECTORS.map(({ name }, place) => `${name}: ${verdicts[place] ?? 'no verdict'}`);
const EXPECTED = named(VECTORS.map(({ verdict }) => verdict));

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder('verifiers');
});
afterAll(() => folder.remove());

describe('verifiers', () => {
  test('the vectors have different names, and every verdict of verifiers/README.md occurs in them', () => {
    expect(new Set(EXPECTED).size).toBe(VECTORS.length);
    const table = readFileSync(join(VERIFIERS, 'README.md'), 'utf8').matchAll(
      /^\| `([a-z_]+)` \| (?=.*\.)/gm,
    );
    const verdicts = [...table].map(([, verdict]) => verdict);
    expect(new Set(VECTORS.map(({ verdict }) => verdict))).toEqual(new Set(verdicts));
  });

  test('the dispatcher’s own check gives the expected verdict for each vector', () => {
    const verdicts = VECTORS.filter(({ method }) => method === 'POST').map((vector) => {
      const headers = new Map(
        Object.entries(vector.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const verification = verifyNotification({
        ...vector,
        rawBody: vector.body,
        timestamp: headers.get('x-timestamp'),
        signature: headers.get('x-signature'),
      });
      return [vector.name, verification.ok ? 'ok' : verification.fault];
    });
    expect(verdicts).toEqual(
      VECTORS.filter(({ method }) => method === 'POST').map(({ name, verdict }) => [name, verdict]),
    );
    expect(new Set(VECTORS.map(({ unit }) => unit))).toEqual(new Set(TIMESTAMP_UNITS));
  });

  test.each(LANGUAGES.filter(isToRun))(
    'the function for $name gives the expected verdict for each vector',
    (each) => {
      const out = mkdtempSync(join(folder.path, 'out-'));
      expect(named(verdictsOf(each, out))).toEqual(EXPECTED);
    },
  );

  test('each language of the table in verifiers/README.md has a folder with a README', () => {
    const folders = readdirSync(VERIFIERS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const table = readFileSync(join(VERIFIERS, 'README.md'), 'utf8').matchAll(/^\| \[.+?\]\((\w+)\)/gm);
    expect(new Set(folders.map(({ name }) => name))).toEqual(new Set([...table].map(([, name]) => name)));
    expect(new Set(LANGUAGES.map(({ folder: name }) => name)).size).toBe(folders.length);
    expect(folders.filter(({ name }) => !existsSync(join(VERIFIERS, name, 'README.md')))).toEqual([]);
  });
});
