import { describe, expect, test } from 'vitest';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Environment, SECRET_NAMES } from '#libs/config';
import ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';

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
    ingress?: unknown;
    egress?: unknown;
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
const ofKind = (kind: string): Manifest[] => MANIFESTS.filter((manifest) => manifest.kind === kind);
const PODS = MANIFESTS.flatMap(({ kind, metadata, spec }) =>
  spec?.template === undefined ? [] : [{ kind, name: metadata.name, pod: spec.template }],
);

describe('deploy/kubernetes', () => {
  test('kustomization.yaml lists every file', () => {
    const { resources }: { resources: string[] } = parse(read('kustomization.yaml'));
    expect(resources.toSorted()).toEqual(FILES.toSorted());
  });

  test.each(MANIFESTS.map((manifest) => ({ name: `${manifest.kind} ${manifest.metadata.name}`, manifest })))(
    '$name keeps the schema',
    async ({ manifest: { file: _file, ...manifest } }) => {
      const models: Record<string, new (of: object) => { validate(): void }> = await import(
        `kubernetes-models/${manifest.apiVersion}`
      );
      const Model = models[manifest.kind];
      if (Model === undefined) throw new Error(`Kubernetes has no ${manifest.apiVersion} ${manifest.kind}`);
      expect(() => new Model(manifest).validate()).not.toThrow();
    },
  );

  test('no manifest has a field that Kubernetes does not know', () => {
    expect(unknownFields(MANIFESTS)).toEqual([]);
  });

  test('a misspelt field would be found', () => {
    const [service] = ofKind('Service');
    if (service?.spec === undefined) throw new Error('there is a Service');
    const misspelt = { ...service, spec: { ...service.spec, sesionAffinity: 'None' } };
    expect(unknownFields([misspelt]).join()).toContain('sesionAffinity');
  });

  describe.each(PODS)('the pods of $name', ({ kind, name, pod }) => {
    const [container] = pod.spec.containers;

    test('run as nobody, on a file system that they cannot change, without a token', () => {
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

    test('ask for what a process needs, and are bounded', () => {
      expect(container.resources.requests).toMatchObject({ cpu: expect.any(String), memory: '256Mi' });
      expect(container.resources.limits.memory).toMatch(/^\d+Mi$/);
    });

    test('run a file that the build makes', () => {
      const entry = container.command.at(-1) ?? '';
      expect(entry).toMatch(/^dist\/.*\.js$/);
      expect(existsSync(join(PROJECT, entry))).toBe(true);
    });

    test('get names that are read; secrets as files only, and only who needs them', () => {
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
      // What may be missing cannot be a file that is named.
      const optional = {
        name: 'OIDC_CLIENT_SECRET',
        valueFrom: { secretKeyRef: { name: 'dispatcher', key: 'OIDC_CLIENT_SECRET', optional: true } },
      };
      expect(container.env.filter((one) => !files.includes(one))).toEqual(
        name === 'dispatcher-api' ? [optional] : [],
      );
      expect(secrets.includes('SECRETS_KEYRING')).toBe(kind === 'Deployment');
    });

    test('bear the labels by which policies, budgets and services find them', () => {
      expect(pod.metadata.labels).toEqual({
        'app.kubernetes.io/name': 'payment-notification-dispatcher',
        'app.kubernetes.io/component': name.replace('dispatcher-', ''),
      });
    });

    if (kind !== 'Deployment') return;

    test('are asked whether they live and are ready, spread, and given time to stop', () => {
      expect(container.livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'http' });
      expect(container.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
      expect(pod.spec.topologySpreadConstraints?.map((one) => one.topologyKey)).toEqual([
        'topology.kubernetes.io/zone',
        'kubernetes.io/hostname',
      ]);
      expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30);
    });

    test('are at least two, and leave one at a time', () => {
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

  test('nothing goes in or out unless a policy says so', () => {
    const policies = ofKind('NetworkPolicy');
    const name = { 'app.kubernetes.io/name': 'payment-notification-dispatcher' };
    for (const { spec } of policies) expect(spec?.podSelector?.matchLabels).toMatchObject(name);
    const [closed] = policies.filter(({ metadata }) => metadata.name === 'dispatcher-default-deny');
    expect(closed?.spec).toEqual({
      podSelector: { matchLabels: name },
      policyTypes: ['Ingress', 'Egress'],
    });
  });
});

/** What the compiler says of the manifests as literals of the models' types: those admit no field that they do not name. */
function unknownFields(manifests: readonly Manifest[]): string[] {
  const lines = manifests.map(({ file: _file, ...manifest }, index) => {
    const type = `import('kubernetes-models/${manifest.apiVersion}').I${manifest.kind}`;
    return `export const manifest${String(index)}: ${type} = ${JSON.stringify(manifest)};`;
  });
  const path = join(PROJECT, 'test/manifests.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const onDisk = { ...host };
  host.fileExists = (name) => name === path || onDisk.fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === path
      ? ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.ES2023)
      : onDisk.getSourceFile(name, ...rest);
  const program = ts.createProgram([path], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
