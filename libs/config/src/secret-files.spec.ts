import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { configSummary, ConfigurationError, readConfig, SECRET_NAMES, type Config } from './index.js';

const PLAIN = {
  ADMIN_API_KEY: 'a'.repeat(40),
  SECRETS_KEYRING: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  DATABASE_URL: 'postgres://app@db.example:5432/dispatcher',
  DATABASE_PASSWORD: 'p@ss/w?rd%41&x=1 #',
  REDIS_URL: 'redis+sentinel://:redis-pass@one,two/main?sentinelPassword=watch-pass',
  OIDC_CLIENT_SECRET: 'openid-pass',
  SMTP_URL: 'smtp://bank:mail-pass@mail.example:587',
};

/** The variables that OIDC_CLIENT_SECRET and SMTP_URL require. */
const REQUIRED = {
  MAIL_FROM: 'dispatcher@bank.example',
  OIDC_ISSUER: 'https://login.bank.example',
  OIDC_CLIENT_ID: 'dispatcher',
  OIDC_REDIRECT_URL: 'https://dispatcher.bank.example/sign-in/openid',
  OIDC_ROLE_MAP: 'ops:operator',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dispatcher-secrets-'));
  chmodSync(folder, 0o711);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file and returns its path. */
function fileWith(content: string): string {
  const path = join(folder, `secret-${String(Math.random()).slice(2)}`);
  writeFileSync(path, content);
  return path;
}

function read(env: Record<string, string>): Config | readonly string[] {
  try {
    return readConfig('api', { ...REQUIRED, ...env });
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}

describe('readSecretFiles', () => {
  it.each(['', '\n', '\r\n', '\n\n'])('reads a secret from its file without the trailing %j', (end) => {
    const files = Object.fromEntries(
      Object.entries(PLAIN).map(([name, value]) => [`${name}_FILE`, fileWith(value + end)]),
    );
    expect(Object.keys(files)).toHaveLength(SECRET_NAMES.length);
    expect(read(files)).toEqual(read(PLAIN));
  });

  it('keeps the blanks at the beginning of a secret file', () => {
    const [withBlank, without] = [' blank\n', 'blank'].map((password) =>
      read({ ...PLAIN, DATABASE_PASSWORD: '', DATABASE_PASSWORD_FILE: fileWith(password) }),
    );
    expect(withBlank).toMatchObject({ database: { url: `${PLAIN.DATABASE_URL}?password=%20blank` } });
    expect(without).toMatchObject({ database: { url: `${PLAIN.DATABASE_URL}?password=blank` } });
  });

  it('checks the content of a secret file by the rule of its variable, and does not show it', () => {
    const faults = read({ ...PLAIN, SECRETS_KEYRING: '', SECRETS_KEYRING_FILE: fileWith('k1:c2VjcmV0') });
    expect(faults).toEqual([expect.stringMatching(/^SECRETS_KEYRING must be kid:base64 pairs/)]);
    expect(JSON.stringify(faults)).not.toContain('c2VjcmV0');
  });

  it.each(SECRET_NAMES)('refuses %s both as a variable and as a file', (name) => {
    expect(read({ ...PLAIN, [`${name}_FILE`]: fileWith('another') })).toEqual([
      `${name} is given twice: remove either ${name} or ${name}_FILE`,
    ]);
  });

  it('does not read a file for a variable without a secret', () => {
    expect(read({ ...PLAIN, PORT_FILE: '/nowhere' })).toMatchObject({ http: { port: 3000 } });
  });

  const withFile = (path: string) => read({ ...PLAIN, REDIS_URL: '', REDIS_URL_FILE: path });

  it('reports a secret file that is missing, empty or a folder, with its path and the remedy', () => {
    const missing = join(folder, 'missing');
    expect(withFile(missing)).toEqual([
      `REDIS_URL cannot be read from ${missing} (REDIS_URL_FILE): the file does not exist; mount the secret there, or correct the path`,
    ]);
    const empty = fileWith('\n');
    expect(withFile(empty)).toEqual([
      `REDIS_URL cannot be read from ${empty} (REDIS_URL_FILE): the file is empty; write the secret into it`,
    ]);
    expect(withFile(folder)).toEqual([
      `REDIS_URL cannot be read from ${folder} (REDIS_URL_FILE): it is a folder; name the file in it`,
    ]);
  });

  it('reports the user that is not permitted to read a secret file', () => {
    const locked = fileWith('redis://cache');
    chmodSync(locked, 0o000);
    const asRoot = process.geteuid?.() === 0;
    if (asRoot) process.seteuid?.(65_534);
    try {
      expect(withFile(locked)).toEqual([
        expect.stringMatching(/user \d+ is not permitted to read it; change its owner or mode$/),
      ]);
    } finally {
      if (asRoot) process.seteuid?.(0);
    }
  });
});

describe('DATABASE_PASSWORD', () => {
  it('adds DATABASE_PASSWORD to the URL of PostgreSQL, and not to the configuration summary', () => {
    const config = readConfig('api', { ...REQUIRED, ...PLAIN });
    expect(new URL(config.database.url).searchParams.get('password')).toBe(PLAIN.DATABASE_PASSWORD);
    expect(JSON.stringify(configSummary(config))).not.toMatch(
      /p@ss|p%40ss|redis-pass|watch-pass|openid-pass|mail-pass/,
    );
    const withQuery = readConfig('api', {
      ...REQUIRED,
      ...PLAIN,
      DATABASE_URL: `${PLAIN.DATABASE_URL}?sslmode=require`,
    });
    expect(withQuery.database.url).toMatch(/\?sslmode=require&password=p%40ss/);
  });

  it.each(['postgres://app:other@db/dispatcher', 'postgres://app@db/dispatcher?password=other'])(
    'refuses DATABASE_PASSWORD with %s',
    (url) => {
      expect(read({ ...PLAIN, DATABASE_URL: url })).toEqual([
        'DATABASE_PASSWORD is given twice: DATABASE_URL holds a password already; remove one of them',
      ]);
    },
  );
});
