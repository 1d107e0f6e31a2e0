import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const PROJECT = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(PROJECT, file), 'utf8');

/** `${NAME:?what to put there}`: Compose stops without it. */
const isRequired = (value: string | number | undefined): boolean => /^\$\{\w+:\?.+\}$/.test(String(value));

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  deploy?: { replicas: number };
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
}

describe('docker-compose.yml', () => {
  const { services }: { services: Record<string, Service> } = parse(read('docker-compose.yml'), {
    merge: true,
  });
  const service = (name: string): Service => {
    const found = services[name];
    if (found === undefined) throw new Error(`no service ${name}`);
    return found;
  };

  test('Redis keeps its jobs over a restart and evicts none', () => {
    expect(service('redis').command?.join(' ')).toBe(
      'redis-server --appendonly yes --maxmemory-policy noeviction',
    );
  });

  test('two workers deliver', () => {
    expect(service('worker').deploy?.replicas).toBe(2);
  });

  test.each(['api', 'worker'])(
    'the %s starts after the migrations, on a database and a queue that answer',
    (name) => {
      expect(service(name).depends_on).toEqual({
        migrate: { condition: 'service_completed_successfully' },
        postgres: { condition: 'service_healthy' },
        redis: { condition: 'service_healthy' },
      });
      expect(service(name).healthcheck?.test).toEqual(['CMD', 'node', 'scripts/is-ready.mjs']);
    },
  );

  test.each(['api', 'worker', 'migrate'])('the %s runs a file that the build makes', (name) => {
    const entry = service(name).command?.at(-1) ?? '';
    expect(entry).toMatch(/^dist\/.*\.js$/);
    expect(existsSync(join(PROJECT, entry))).toBe(true);
  });

  test('the command that the runbook tells to run in a worker’s container is there', () => {
    const [, name, entry = ''] =
      /docker compose run --rm (\w+) node (\S+\.js)/.exec(read('docs/runbook.md')) ?? [];
    expect(name).toBe('worker');
    expect(existsSync(join(PROJECT, entry))).toBe(true);
  });

  test('no secret has a default, and only who needs it gets it', () => {
    expect(isRequired(service('api').environment?.['ADMIN_API_KEY'])).toBe(true);
    expect(isRequired(service('api').environment?.['SECRETS_KEYRING'])).toBe(true);
    expect(isRequired(service('worker').environment?.['SECRETS_KEYRING'])).toBe(true);
    expect(isRequired(service('postgres').environment?.['POSTGRES_PASSWORD'])).toBe(true);
    expect(service('worker').environment).not.toHaveProperty('ADMIN_API_KEY');
    expect(service('migrate').environment).not.toHaveProperty('SECRETS_KEYRING');
    expect(read('docker-compose.yml')).not.toMatch(
      /\$\{(ADMIN_API_KEY|SECRETS_KEYRING|POSTGRES_PASSWORD)(:-|\})/,
    );
  });

  test('every variable it takes stands in .env.example', () => {
    const taken = new Set([...read('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    const offered = new Set([...read('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name));
    expect([...taken].filter((name) => !offered.has(name))).toEqual([]);
  });
});

describe('Dockerfile', () => {
  const stages = read('Dockerfile')
    .split(/^FROM /m)
    .slice(1);

  test('runs as an ordinary user, in production mode, without npm in between', () => {
    const runtime = stages.at(-1);
    expect(runtime).toMatch(/^USER node$/m);
    expect(runtime).toMatch(/^ENV NODE_ENV=production$/m);
    expect(runtime).toMatch(/^CMD \["node", .*"dist\/apps\/api\/src\/main\.js"\]$/m);
    expect(runtime).toMatch(/^HEALTHCHECK /m);
  });

  test('builds what `npm run build` builds', () => {
    const { scripts }: { scripts: { build: string } } = JSON.parse(read('package.json'));
    const commands = scripts.build.split(' && ').map((command) => `node_modules/.bin/${command}`);
    expect(read('Dockerfile')).toContain(`RUN ${commands.join(' && ')}\n`);
  });

  test('the lock serves `npm ci` on every platform', () => {
    const { stdout } = spawnSync(process.execPath, ['scripts/complete-lock.mjs', '--check'], {
      cwd: PROJECT,
    });
    expect(stdout.toString()).toBe('package-lock.json is complete\n');
  });
});
