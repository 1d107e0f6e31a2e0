import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { VERSION } from '#libs/contracts';
import { blocksOf } from '#test/support/documented-page';
import { kubernetesFaults } from '#test/support/kubernetes-schema';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';

const PROJECT = join(import.meta.dirname, '../..');
const CHART = 'deploy/helm';
const BASE = join(PROJECT, 'deploy/kubernetes');
const isRequired = process.env['CI'] !== undefined;
/** Where scripts/ensure-helm.mjs puts it. */
const CACHED = join(PROJECT, 'node_modules/.cache/helm-3.17.3/helm');
const helm = [CACHED, 'helm'].find((file) => existsSync(file) || spawnSync(file, ['version']).status === 0);
if (helm === undefined && !isRequired)
  process.stdout.write('The test of the Helm chart is skipped: helm is not on the PATH.\n');

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; annotations?: Readonly<Record<string, string>> };
  data?: Readonly<Record<string, string>>;
  spec?: {
    minReplicas?: number;
    maxReplicas?: number;
    groups?: { rules: { annotations: Readonly<Record<string, string>> }[] }[];
    template?: { spec: { containers: [{ image: string; resources: object }] } };
  };
}

const documentsOf = (text: string): Manifest[] => parseAllDocuments(text).flatMap((one) => one.toJS() ?? []);

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder('helm');
});
afterAll(() => folder.remove());

/** Runs Helm with these values. */
function run(command: 'lint' | 'template', values: unknown = {}) {
  const file = join(folder.path, 'values.yaml');
  writeFileSync(file, stringify(values));
  const names = command === 'template' ? ['dispatcher', CHART] : [CHART];
  const args = [command, ...names, '--namespace', 'payments', '--kube-version', '1.30.0', '--values', file];
  return spawnSync(helm ?? 'helm', args, { cwd: PROJECT, encoding: 'utf8' });
}

function rendered(values: unknown = {}): Manifest[] {
  const { status, stdout, stderr } = run('template', values);
  if (status !== 0) throw new Error(stderr);
  return documentsOf(stdout);
}
const find = (manifests: readonly Manifest[], kind: string, name: string): Manifest => {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}`);
  return found;
};
const byName = (manifests: readonly Manifest[]): Record<string, unknown> =>
  Object.fromEntries(manifests.map((one) => [`${one.kind} ${one.metadata.name}`, one]));

(helm !== undefined || isRequired ? describe : describe.skip)('deploy/helm', () => {
  test('helm lint finds no fault in the chart', () => {
    const { status, stdout } = run('lint');
    expect([status, stdout]).toEqual([0, expect.stringContaining('0 chart(s) failed')]);
  });

  test('the chart renders every object of the kustomize base, in the release’s namespace, with its image', () => {
    const base = readdirSync(BASE)
      .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
      .flatMap((file) => documentsOf(readFileSync(join(BASE, file), 'utf8')));
    for (const { metadata, spec } of base) {
      metadata.namespace = 'payments';
      const container = spec?.template?.spec.containers[0];
      if (container !== undefined) container.image += `:${VERSION}`;
    }
    const objects = rendered();
    for (const { metadata } of objects) delete metadata.annotations;
    expect(byName(objects)).toEqual(byName(base));
  });

  test('every object of the chart with every value matches the schema of Kubernetes', async () => {
    const [, example = ''] = blocksOf(join(CHART, 'README.md')).map(({ text }) => text);
    const objects = rendered(parse(example)).filter(({ kind }) => kind !== 'PrometheusRule');
    expect(objects.length).toBeGreaterThan(10);
    const faults = await Promise.all(
      objects.map(async (one) => [`${one.kind} ${one.metadata.name}`, await kubernetesFaults(one)]),
    );
    expect(faults.filter(([, found]) => found?.length !== 0)).toEqual([]);
  });

  test('the values in the README of the chart change image, settings, replicas, resources and alerts', () => {
    const [, example = ''] = blocksOf(join(CHART, 'README.md')).map(({ text }) => text);
    const objects = rendered(parse(example));
    const [container] =
      find(objects, 'Deployment', 'dispatcher-worker').spec?.template?.spec.containers ?? [];
    expect(container).toMatchObject({
      image: `registry.bank.example/dispatcher:${VERSION}`,
      resources: { requests: { cpu: '1', memory: '256Mi' }, limits: { memory: '768Mi' } },
    });
    expect(find(objects, 'ConfigMap', 'dispatcher').data).toMatchObject({
      PUBLIC_URL: 'https://dispatcher.bank.example',
      RETENTION_DAYS: '180',
      PORT: '3000',
    });
    expect(find(objects, 'HorizontalPodAutoscaler', 'dispatcher-worker').spec).toMatchObject({
      minReplicas: 3,
      maxReplicas: 8,
    });
    const rule = find(objects, 'PrometheusRule', 'dispatcher');
    expect(rule.metadata).toMatchObject({ labels: { release: 'prometheus' } });
    const links = (rule.spec?.groups ?? []).flatMap(({ rules }) =>
      rules.map(({ annotations }) => annotations),
    );
    expect(links.length).toBeGreaterThan(20);
    for (const { runbook_url, console_url } of links) {
      expect(runbook_url).toMatch(/^https:\/\/docs\.bank\.example\/dispatcher\/docs\/runbook\.md#/);
      expect(console_url).toMatch(/^https:\/\/dispatcher\.bank\.example\//);
    }
  });

  test('the migration runs before each installation and upgrade, after its account and settings exist', () => {
    const hooks = rendered().flatMap(({ kind, metadata: { annotations = {} } }) => {
      const weight = annotations['helm.sh/hook-weight'];
      return weight === undefined ? [] : [`${annotations['helm.sh/hook'] ?? ''} ${weight} ${kind}`];
    });
    expect(hooks.toSorted()).toEqual([
      'pre-install,pre-upgrade -1 ConfigMap',
      'pre-install,pre-upgrade -1 ServiceAccount',
      'pre-install,pre-upgrade 0 Job',
    ]);
  });

  test.each([
    ['an unknown value', { replica: 3 }, 'replica'],
    ['a secret in the settings', { configuration: { DATABASE_URL: 'postgres://x' } }, 'configuration'],
    ['a single replica', { api: { replicas: { min: 1, max: 2 } } }, 'api.replicas.min'],
    ['a public address without https', { publicUrl: 'http://x.example' }, 'publicUrl'],
  ])('the schema of the values refuses %s', (_case, values, field) => {
    const { status, stderr } = run('template', values);
    expect(status).not.toBe(0);
    expect(stderr).toContain(field);
  });
});
