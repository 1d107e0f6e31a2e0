import { describe, expect, test } from 'vitest';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const PROJECT = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(PROJECT, file), 'utf8');

interface Service {
  image: string;
  command?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  restart?: string;
  environment?: Record<string, string | number>;
  secrets?: string[];
  deploy?: {
    replicas?: number;
    resources?: { limits: { cpus: string; memory: string; pids: number } };
  };
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
}

describe('docker-compose.yml', () => {
  const {
    services,
    secrets,
  }: { services: Record<string, Service>; secrets: Record<string, { file: string }> } = parse(
    read('docker-compose.yml'),
    { merge: true },
  );
  const service = (name: string): Service => {
    const found = services[name];
    if (found === undefined) throw new Error(`no service ${name}`);
    return found;
  };

  test('Redis in Compose persists its jobs and evicts none', () => {
    expect(service('redis').command?.join(' ')).toBe(
      'redis-server --appendonly yes --maxmemory-policy noeviction',
    );
  });

  test('Compose runs two workers', () => {
    expect(service('worker').deploy?.replicas).toBe(2);
  });

  test.each(['api', 'worker'])(
    'the %s in Compose starts after the migrations, when PostgreSQL and Redis are healthy',
    (name) => {
      expect(service(name).depends_on).toEqual({
        migrate: { condition: 'service_completed_successfully' },
        postgres: { condition: 'service_healthy' },
        redis: { condition: 'service_healthy' },
      });
      expect(service(name).healthcheck?.test).toEqual(['CMD', 'node', 'scripts/is-ready.mjs']);
    },
  );

  test.each(['api', 'worker', 'migrate'])('the %s in Compose runs a file of the build', (name) => {
    const entry = service(name).command?.at(-1) ?? '';
    expect(entry).toMatch(/^dist\/.*\.js$/);
    expect(existsSync(join(PROJECT, entry))).toBe(true);
  });

  test('the runbook’s command for a worker’s container names a file of the build', () => {
    const [, name, entry = ''] =
      /docker compose run --rm (\w+) node (\S+\.js)/.exec(read('docs/runbook.md')) ?? [];
    expect(name).toBe('worker');
    expect(existsSync(join(PROJECT, entry))).toBe(true);
  });

  test.each(Object.entries(services))(
    'the %s in Compose is unprivileged, writes only to its volume and /tmp, and has resource limits',
    (_name, { user, read_only, cap_drop, security_opt, tmpfs, deploy, restart }) => {
      expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
      expect(read_only).toBe(true);
      expect(cap_drop).toEqual(['ALL']);
      expect(security_opt).toEqual(['no-new-privileges:true']);
      expect(tmpfs?.[0]).toMatch(/^\/tmp:size=\d+m$/);
      expect(deploy?.resources?.limits).toEqual({
        cpus: expect.stringMatching(/^\d$/),
        memory: expect.stringMatching(/^\d+[MG]$/),
        pids: expect.any(Number),
      });
      expect(restart).toMatch(/^(unless-stopped|on-failure:3)$/);
    },
  );

  test('each service in Compose gets only the secrets that it needs, as files', () => {
    for (const [name, { file }] of Object.entries(secrets)) {
      expect(file).toBe(`./secrets/${name}`);
      expect(read('docs/operator-guide.md')).toContain(` > secrets/${name}\n`);
    }
    expect(read('.gitignore')).toMatch(/^\/secrets\/$/m);
    const [database, keyring, key] = ['postgres_password', 'secrets_keyring', 'admin_api_key'];
    const needs: Record<string, Record<string, string>> = {
      postgres: { POSTGRES_PASSWORD_FILE: database },
      redis: {},
      migrate: { DATABASE_PASSWORD_FILE: database },
      api: { ADMIN_API_KEY_FILE: key, SECRETS_KEYRING_FILE: keyring, DATABASE_PASSWORD_FILE: database },
      worker: { SECRETS_KEYRING_FILE: keyring, DATABASE_PASSWORD_FILE: database },
    };
    expect(Object.keys(services).toSorted()).toEqual(Object.keys(needs).toSorted());
    for (const [name, files] of Object.entries(needs)) {
      const given = Object.entries(service(name).environment ?? {});
      expect(
        Object.fromEntries(given.filter(([one]) => one.endsWith('_FILE') && one !== 'BRAND_LOGO_FILE')),
      ).toEqual(
        Object.fromEntries(Object.entries(files).map(([one, file]) => [one, `/run/secrets/${file}`])),
      );
      expect(service(name).secrets ?? []).toEqual(Object.values(files));
    }
    expect(read('docker-compose.yml')).not.toMatch(/(ADMIN_API_KEY|SECRETS_KEYRING|_PASSWORD): |:[^/\s@]+@/);
  });

  test('.env.example documents every variable of docker-compose.yml', () => {
    const used = new Set([...read('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    const documented = new Set([...read('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name));
    expect([...used].filter((name) => !documented.has(name))).toEqual([]);
  });
});

describe('package.json', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));

  // Otherwise npm ends the shell at SIGTERM, and the process continues without both.
  test.each(['start', 'start:api', 'start:worker'])('`npm run %s` passes signals to the process', (name) => {
    expect(scripts[name]).toMatch(/^(\w+=\S+ )*exec node [^&|;]+$/);
  });
});

describe('Dockerfile', () => {
  const stages = read('Dockerfile')
    .split(/^FROM /m)
    .slice(1);

  test('the image runs unprivileged, in production mode, without npm', () => {
    const runtime = stages.at(-1);
    // By number: Kubernetes cannot verify that a name is not root's.
    expect(runtime).toMatch(/^USER 1000:1000$/m);
    expect(runtime).toMatch(/^ENV NODE_ENV=production$/m);
    expect(runtime).toMatch(/^CMD \["node", .*"dist\/apps\/api\/main\.js"\]$/m);
    expect(runtime).toMatch(/^HEALTHCHECK /m);
  });

  test('the Dockerfile builds what `npm run build` builds, except the package for producers', () => {
    const { scripts }: { scripts: { build: string } } = JSON.parse(read('package.json'));
    const commands = scripts.build
      .split(' && ')
      .filter((command) => command !== 'tsc --project packages/client')
      .map((command) => (command.startsWith('node ') ? command : `node_modules/.bin/${command}`));
    expect(read('Dockerfile')).toContain(`RUN ${commands.join(' && ')}\n`);
  });

  test('package-lock.json is complete for `npm ci` on every platform', () => {
    const { stdout } = spawnSync(process.execPath, ['scripts/complete-lock.mjs', '--check'], {
      cwd: PROJECT,
    });
    expect(stdout.toString()).toBe('package-lock.json is complete\n');
  });
});
