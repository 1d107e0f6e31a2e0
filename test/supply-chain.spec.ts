import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf } from '#test/support/documented-page';
import { freePort } from '#test/support/free-port';

const PROJECT = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** A registry that knows these vulnerabilities, by package; without them it refuses, as one without this service does. */
let advisories: Readonly<Record<string, object[]>> | undefined = {};
let registry: Server;
let registryUrl: string;
beforeAll(async () => {
  const port = await freePort();
  registry = createServer((request, response) => {
    const isAudit = request.url === '/-/npm/v1/security/advisories/bulk' && advisories !== undefined;
    response.writeHead(isAudit ? 200 : 405, { 'content-type': 'application/json' });
    request.resume().on('end', () => response.end(JSON.stringify(isAudit ? advisories : {})));
  }).listen(port, '127.0.0.1');
  await once(registry, 'listening');
  registryUrl = `http://127.0.0.1:${String(port)}/`;
});
afterAll(() => registry.close());

/** Runs a command as a reader of a page would, with the registry of this test. */
const shell = (command: string): Promise<{ code: number; output: string }> =>
  run('bash', ['-ec', command], {
    cwd: PROJECT,
    env: { ...process.env, npm_config_registry: registryUrl, npm_config_loglevel: 'silent' },
  }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, output: error.stdout }),
  );

interface Component {
  name: string;
  version: string;
  purl: string;
  licenses?: object[];
  hashes?: object[];
}

test('the commands of SECURITY.md write a complete bill of materials, and find no licence or known fault to refuse', async () => {
  const [block] = blocksOf('SECURITY.md').filter(({ language }) => language === 'sh');
  const { code, output } = await shell(block?.text ?? 'false');
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/Known vulnerabilities: 0, .*\nLicences of \d+ packages: /s),
  ]);
  const bom: { bomFormat: string; specVersion: string; components: Component[] } = JSON.parse(
    readFileSync(join(PROJECT, 'sbom.cdx.json'), 'utf8'),
  );
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' });
  const names = bom.components.map(({ name }) => name);
  // Those of the processes, also where development needs them, too; of the console's pages; of the client package.
  const { dependencies }: { dependencies: object } = JSON.parse(
    readFileSync(join(PROJECT, 'package.json'), 'utf8'),
  );
  const shipped = [...Object.keys(dependencies), 'react', '@mantine/core', 'd3-shape', 'openapi-fetch'];
  expect(shipped.filter((name) => !names.includes(name))).toEqual([]);
  expect(names.filter((name) => ['vitest', 'jest', 'vite', 'oxlint'].includes(name))).toEqual([]);
  const incomplete = bom.components.filter(
    ({ purl, licenses = [], hashes = [] }) =>
      !purl.startsWith('pkg:npm/') || licenses.length === 0 || hashes.length === 0,
  );
  expect(incomplete).toEqual([]);
});

describe('check:audit', () => {
  const audit = (): ReturnType<typeof shell> =>
    shell(`echo '{"components":[{"name":"nodemailer"}]}' | REQUIRE_AUDIT=true node scripts/check-audit.mjs`);
  const fault = (name: string) => ({
    [name]: [
      {
        id: name.length,
        title: `a fault of ${name}`,
        url: 'https://advisory.example',
        severity: 'high',
        vulnerable_versions: '*',
      },
    ],
  });

  test('the audit fails on a known vulnerability of high severity in what is shipped, and names it', async () => {
    advisories = { ...fault('nodemailer'), ...fault('vitest') };
    expect(await audit()).toEqual({
      code: 1,
      output:
        'high: nodemailer: a fault of nodemailer https://advisory.example\nKnown vulnerabilities: 1, of them high or critical: 1.\n',
    });
  });

  test('the audit fails where it is required and no registry answers it', async () => {
    advisories = undefined;
    const { code, output } = await audit();
    expect([code, output]).toEqual([1, expect.stringMatching(/^Vulnerabilities were NOT checked: .+\n$/)]);
  });
});

test('a licence that is not allowed, or none, is refused with the name of its package', async () => {
  const components = [
    { name: 'a', version: '1.0.0', licenses: [{ license: { id: 'MIT' } }] },
    { name: 'b', version: '2.0.0', licenses: [{ expression: '(GPL-3.0 OR MIT)' }] },
    { name: 'c', version: '3.0.0', licenses: [{ expression: 'MIT AND GPL-3.0' }] },
    { name: 'd', version: '4.0.0' },
  ];
  const { code, output } = await shell(
    `echo '${JSON.stringify({ components })}' | node scripts/check-licences.mjs`,
  );
  expect(code).toBe(1);
  expect([...output.matchAll(/^(\S+) has the licence/gm)].map(([, name]) => name)).toEqual([
    'c@3.0.0',
    'd@4.0.0',
  ]);
});

test('no process of the product takes a value as argument, so a secret comes from a file or the environment', () => {
  const sources = globSync('{apps,libs}/*/src/**/*.ts', { cwd: PROJECT });
  expect(sources.length).toBeGreaterThan(100);
  // `parseArgs` is for flags, such as --dry-run.
  const taking = /\bargv\b|parseArgs\(.*(type: 'string'|allowPositionals)/s;
  expect(sources.filter((file) => taking.test(readFileSync(join(PROJECT, file), 'utf8')))).toEqual([]);
});
