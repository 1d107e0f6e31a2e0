import { describe, expect, test } from 'vitest';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Environment, SECRET_NAMES } from '#libs/config';
import { parse, parseAllDocuments } from 'yaml';
import { kubernetesFaults } from '#test/support/kubernetes-schema';

const PROJECT = join(import.meta.dirname, '..');
const FOLDER = join(PROJECT, 'deploy/kubernetes');
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml');
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

interface Labels {
  [name: string]: string;
}
interface Container {
  command: string[];
  env: { name: string; value?: string; valueFrom?: object }[];
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  resources: { requests: { cpu: string; memory: string }; limits: { memory: string } };
  securityContext: object;
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } } | undefined;
}
interface Pod {
  metadata: { labels: Labels };
  spec: {
    automountServiceAccountToken: boolean;
    securityContext: object;
    topologySpreadConstraints?: { topologyKey: string }[];
    terminationGracePeriodSeconds?: number;
    containers: [Container];
    volumes: {
      name: string;
      secret: { secretName: string; defaultMode: number; items: { key: string; path: string }[] };
    }[];
  };
}
interface Rule {
  from?: { namespaceSelector?: { matchLabels?: Labels } }[];
  ports: { port: number | string; endPort?: number }[];
}
interface Manifest {
  file: string;
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Labels;
  spec?: {
    selector?: { matchLabels?: Labels };
    podSelector?: { matchLabels: Labels };
    policyTypes?: string[];
    ingress?: Rule[];
    egress?: Rule[];
    scaleTargetRef?: { kind: string; name: string };
    minReplicas?: number;
    maxUnavailable?: number;
    template?: Pod;
  };
}

const MANIFESTS: Manifest[] = FILES.flatMap((file) =>
  parseAllDocuments(read(file)).map((document): Manifest => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    const manifest: Omit<Manifest, 'file'> = document.toJS();
    return { ...manifest, file };
  }),
);
const withoutFile = ({ file: _file, ...manifest }: Manifest) => manifest;
const ofKind = (kind: string): Manifest[] => MANIFESTS.filter((manifest) => manifest.kind === kind);
const PODS = MANIFESTS.flatMap(({ kind, metadata, spec }) =>
  spec?.template === undefined ? [] : [{ kind, name: metadata.name, pod: spec.template }],
);

test('deploy/kubernetes/kustomization.yaml lists every manifest', () => {
  const { resources }: { resources: string[] } = parse(read('kustomization.yaml'));
  expect(resources.toSorted()).toEqual(FILES.toSorted());
});

test.each(MANIFESTS.map((manifest) => ({ name: `${manifest.kind} ${manifest.metadata.name}`, manifest })))(
  'the manifest $name matches the schema of Kubernetes and has no unknown field',
  async ({ manifest }) => {
    expect(await kubernetesFaults(withoutFile(manifest))).toEqual([]);
  },
);

test('the check of the manifests finds a misspelt field', async () => {
  const [service] = ofKind('Service');
  if (service?.spec === undefined) throw new Error('there is no Service');
  const misspelt = { ...service, spec: { ...service.spec, sesionAffinity: 'None' } };
  expect(await kubernetesFaults(withoutFile(misspelt))).toEqual(['unknown field .spec.sesionAffinity']);
});

describe.each(PODS)('Kubernetes pods of $name', ({ kind, name, pod }) => {
  const [container] = pod.spec.containers;

  test(`the pods of ${name} run unprivileged, on a read-only file system, without a token`, () => {
    expect(pod.spec.automountServiceAccountToken).toBe(false);
    expect(pod.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test(`the pods of ${name} request and limit memory`, () => {
    expect(container.resources.requests).toMatchObject({ cpu: expect.any(String), memory: '256Mi' });
    expect(container.resources.limits.memory).toMatch(/^\d+Mi$/);
  });

  test(`the pods of ${name} run a file of the build`, () => {
    const entry = container.command.at(-1) ?? '';
    expect(entry).toMatch(/^dist\/.*\.js$/);
    expect(existsSync(join(PROJECT, entry))).toBe(true);
  });

  test(`the pods of ${name} get known settings, and only the secrets that they need, as files`, () => {
    const known = Object.keys(new Environment()).concat('QUEUE_BACKEND');
    const [configuration] = ofKind('ConfigMap');
    for (const given of Object.keys(configuration?.data ?? {})) {
      expect(known).toContain(given);
      expect(SECRET_NAMES).not.toContain(given);
    }
    const files = container.env.filter((one) => one.name.endsWith('_FILE'));
    const secrets = files.map((one) => one.name.replace(/_FILE$/, ''));
    for (const secret of secrets) expect(SECRET_NAMES).toContain(secret);
    const [mount] = container.volumeMounts;
    expect(files).toEqual(
      secrets.map((secret) => ({
        name: `${secret}_FILE`,
        value: `${mount?.mountPath ?? ''}/${secret}`,
      })),
    );
    expect(pod.spec.volumes).toEqual([
      {
        name: mount?.name,
        secret: {
          secretName: 'dispatcher',
          defaultMode: 0o440,
          items: secrets.map((secret) => ({ key: secret, path: secret })),
        },
      },
    ]);
    expect(secrets.includes('ADMIN_API_KEY')).toBe(name === 'dispatcher-api');
    // A secret that may be missing cannot be a file: a named file must exist.
    const optional: Readonly<Record<string, readonly string[]>> = {
      'dispatcher-api': ['OIDC_CLIENT_SECRET', 'SMTP_URL'],
      'dispatcher-worker': ['SMTP_URL'],
    };
    expect(container.env.filter((one) => !files.includes(one))).toEqual(
      (optional[name] ?? []).map((key) => ({
        name: key,
        valueFrom: { secretKeyRef: { name: 'dispatcher', key, optional: true } },
      })),
    );
    expect(secrets.includes('SECRETS_KEYRING')).toBe(kind === 'Deployment');
  });

  test(`the pods of ${name} have the labels that policies, budgets and services select`, () => {
    expect(pod.metadata.labels).toEqual({
      'app.kubernetes.io/name': 'payment-notification-dispatcher',
      'app.kubernetes.io/component': name.replace('dispatcher-', ''),
    });
  });

  if (kind !== 'Deployment') return;

  test(`the pods of ${name} have probes, are spread over zones and nodes, and get time to stop`, () => {
    expect(container.livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'http' });
    expect(container.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
    expect(pod.spec.topologySpreadConstraints?.map((one) => one.topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ]);
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30);
  });

  test(`${name} keeps two pods and loses one at a time`, () => {
    const autoscaler = ofKind('HorizontalPodAutoscaler').find(
      ({ spec }) => spec?.scaleTargetRef?.name === name && spec.scaleTargetRef.kind === kind,
    );
    expect(autoscaler?.spec?.minReplicas).toBeGreaterThanOrEqual(2);
    const budget = ofKind('PodDisruptionBudget').find(({ metadata }) => metadata.name === name);
    expect(budget?.spec).toMatchObject({
      maxUnavailable: 1,
      selector: { matchLabels: pod.metadata.labels },
    });
  });
});

test('the network policies deny everything by default', () => {
  const policies = ofKind('NetworkPolicy');
  const name = { 'app.kubernetes.io/name': 'payment-notification-dispatcher' };
  for (const { spec } of policies) expect(spec?.podSelector?.matchLabels).toMatchObject(name);
  const [closed] = policies.filter(({ metadata }) => metadata.name === 'dispatcher-default-deny');
  expect(closed?.spec).toEqual({
    podSelector: { matchLabels: name },
    policyTypes: ['Ingress', 'Egress'],
  });
});

test('the network policies admit callers to apis, Prometheus to every process, and few ports outwards', () => {
  const allowed = ofKind('NetworkPolicy').flatMap(({ metadata, spec }) => {
    const rules = [...(spec?.ingress ?? []), ...(spec?.egress ?? [])];
    return rules.map(({ from = [], ports }) => [
      metadata.name,
      ...from.map(({ namespaceSelector }) => namespaceSelector?.matchLabels?.['dispatcher.example/may-call']),
      ...ports.map(({ port, endPort }) => (endPort === undefined ? port : `${port}-${endPort}`)),
    ]);
  });
  expect(allowed).toEqual([
    ['dispatcher-dns', 53, 53],
    ['dispatcher-postgresql', 5432],
    ['dispatcher-redis', 6379, 26379],
    ['dispatcher-consumers', 443, '1024-65535'],
    ['dispatcher-api', 'api', 'http'],
    ['dispatcher-metrics', 'metrics', 'http'],
  ]);
});
