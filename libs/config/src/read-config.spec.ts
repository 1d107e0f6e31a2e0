import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { configSummary, ConfigurationError, Environment, readConfig } from './index.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const PRODUCTION = {
  DATABASE_URL: 'postgres://app:db-pass@db.example:5432/dispatcher',
  REDIS_URL: 'redis://:redis-pass@redis.example:6379',
  ADMIN_API_KEY: 'a'.repeat(40),
  SECRETS_KEYRING: `k1:${KEY}`,
};

function faultsOf(env: Record<string, string>, kind: 'api' | 'worker' | 'tool' = 'api'): readonly string[] {
  try {
    readConfig(kind, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}

describe('readConfig', () => {
  it('lists every configuration fault in one message', () => {
    const faults = faultsOf({
      PORT: '70000',
      QUEUE_BACKEND: 'kafka',
      ALLOW_HTTP: 'yes',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      EGRESS_ALLOW: '10.0.0.0/99',
    });
    for (const name of [
      'PORT',
      'QUEUE_BACKEND',
      'ALLOW_HTTP',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'EGRESS_ALLOW',
      'DATABASE_URL',
      'SECRETS_KEYRING',
      'ADMIN_API_KEY',
    ]) {
      expect(faults.filter((fault) => fault.startsWith(`${name} `))).toHaveLength(1);
    }
  });

  it('requires the secrets, which have no default', () => {
    const { SECRETS_KEYRING: _keyring, ADMIN_API_KEY: _key, ...rest } = PRODUCTION;
    expect(faultsOf(rest)).toHaveLength(2);
  });

  it('requires only the variables that the kind of process needs', () => {
    const { ADMIN_API_KEY: _key, ...worker } = PRODUCTION;
    expect(faultsOf(worker, 'worker')).toEqual([]);
    expect(faultsOf({ DATABASE_URL: PRODUCTION.DATABASE_URL, QUEUE_BACKEND: 'postgres' }, 'tool')).toEqual(
      [],
    );
  });

  it('never repeats the value of a variable in a fault, since it can be a secret', () => {
    const faults = faultsOf({ ...PRODUCTION, SECRETS_KEYRING: 'k1:c2VjcmV0', ADMIN_API_KEY: 'short-secret' });
    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toMatch(/c2VjcmV0|short-secret/);
  });

  it.each([
    [
      'postgres://app:p@a,b@db1:5432,db2:5433/dispatcher?sslmode=verify-full&target_session_attrs=read-write',
      0,
    ],
    ['postgres://app@[::1],db2/dispatcher?target_session_attrs=primary', 0],
    ['postgres://app:p,w@db1/dispatcher', 0],
    ['postgres://app:p@db1,db2/dispatcher', 1],
    ['postgres://db1:5432,db2:5432/dispatcher?target_session_attrs=any', 1],
  ])('several hosts in DATABASE_URL need target_session_attrs=read-write: %s', (url, faults) => {
    const found = faultsOf({ ...PRODUCTION, DATABASE_URL: url });
    expect(found).toHaveLength(faults);
    expect(found.join()).not.toContain('db1');
  });

  it('treats an empty variable as unset', () => {
    expect(readConfig('api', { ...PRODUCTION, PORT: '', LOG_LEVEL: '' }).http.port).toBe(3000);
  });

  it('uses PostgreSQL for the stand-alone queue unless REDIS_URL is set', () => {
    const { REDIS_URL, ...rest } = PRODUCTION;
    expect(readConfig('standalone', rest).queue.backend).toBe('postgres');
    expect(readConfig('standalone', { ...rest, REDIS_URL }).queue.backend).toBe('redis');
  });

  it('keeps secrets out of the configuration summary', () => {
    const summary = JSON.stringify(configSummary(readConfig('api', PRODUCTION)));
    for (const secret of ['db-pass', 'redis-pass', PRODUCTION.ADMIN_API_KEY, KEY])
      expect(summary).not.toContain(secret);
    expect(summary).toContain('k1');
  });
});

describe('readConfig for OpenID Connect', () => {
  const OPENID = {
    OIDC_ISSUER: 'https://login.bank.example/realms/staff',
    OIDC_CLIENT_ID: 'dispatcher',
    OIDC_CLIENT_SECRET: 'openid-secret',
    OIDC_REDIRECT_URL: 'https://dispatcher.bank.example/sign-in/openid',
    OIDC_ROLE_MAP: 'dispatcher-oncall:oncall, urn:bank:ops:operator',
  };

  it('configures no OpenID Connect without its variables', () =>
    expect(readConfig('api', PRODUCTION).openId).toBeNull());

  it('reads the OpenID Connect configuration with its defaults', () => {
    expect(readConfig('api', { ...PRODUCTION, ...OPENID }).openId).toEqual({
      issuer: OPENID.OIDC_ISSUER,
      clientId: 'dispatcher',
      clientSecret: 'openid-secret',
      redirectUrl: OPENID.OIDC_REDIRECT_URL,
      rolesClaim: 'roles',
      roleMap: new Map([
        ['dispatcher-oncall', 'oncall'],
        ['urn:bank:ops', 'operator'],
      ]),
      label: 'single sign-on',
    });
  });

  it.each(Object.keys(OPENID))(
    'refuses %s alone, and the other OpenID Connect variables without it',
    (name) => {
      const [without, alone] = [{ ...PRODUCTION, ...OPENID, [name]: '' }, new Map(Object.entries(OPENID))];
      expect(faultsOf(without)).toEqual([expect.stringContaining(`${name} is required: `)]);
      const faults = faultsOf({ ...PRODUCTION, [name]: alone.get(name) ?? '' });
      expect(faults).toHaveLength(4);
      expect(faults.join()).not.toContain('openid-secret');
    },
  );

  it.each([
    ['OIDC_ISSUER', 'http://login.bank.example'],
    ['OIDC_ISSUER', 'http://localhost.evil.example'],
    ['OIDC_ISSUER', 'https://user:password@login.bank.example'],
    ['OIDC_ISSUER', 'https://login.bank.example/?realm=staff'],
    ['OIDC_ISSUER', 'login.bank.example'],
    ['OIDC_REDIRECT_URL', 'http://dispatcher.bank.example/sign-in/openid'],
    ['OIDC_REDIRECT_URL', 'https://dispatcher.bank.example/'],
    ['OIDC_REDIRECT_URL', 'https://dispatcher.bank.example/sign-in/openid/'],
    ['OIDC_ROLE_MAP', 'dispatcher-hub:producer'],
    ['OIDC_ROLE_MAP', 'customers:consumer'],
    ['OIDC_ROLE_MAP', 'staff:king'],
    ['OIDC_ROLE_MAP', 'staff'],
    ['OIDC_ROLE_MAP', ':admin'],
    ['OIDC_ROLE_MAP', 'staff:viewer,staff:admin'],
    ['OIDC_ROLE_MAP', ','],
    ['OIDC_ROLES_CLAIM', 'the roles'],
    ['OIDC_LABEL', 'x'.repeat(61)],
  ])('refuses %s=%s', (name, value) => {
    expect(faultsOf({ ...PRODUCTION, ...OPENID, [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name} must`)),
    ]);
  });

  it('accepts an OpenID Connect provider over http on localhost', () => {
    for (const host of ['localhost:4000', '127.0.0.1:4000', '[::1]:4000']) {
      const local = {
        OIDC_ISSUER: `http://${host}`,
        OIDC_REDIRECT_URL: `http://${host}/sign-in/openid`,
      };
      expect(faultsOf({ ...PRODUCTION, ...OPENID, ...local })).toEqual([]);
    }
  });

  it('keeps the OpenID Connect secret out of the configuration summary', () => {
    const summary = JSON.stringify(configSummary(readConfig('api', { ...PRODUCTION, ...OPENID })));
    expect(summary).toContain('"urn:bank:ops":"operator"');
    expect(summary).not.toContain('openid-secret');
  });
});

describe('PUBLIC_URL and SMTP_URL', () => {
  const MAIL = { SMTP_URL: 'smtp://bank:mail-pass@mail.example:587', MAIL_FROM: 'dispatcher@bank.example' };

  it('there are no links and no mail without PUBLIC_URL and SMTP_URL', () => {
    expect(readConfig('worker', PRODUCTION)).toMatchObject({ publicUrl: null, mail: null });
  });

  it('PUBLIC_URL loses its slash at the end, and SMTP_URL its login in the summary', () => {
    const config = readConfig('worker', {
      ...PRODUCTION,
      ...MAIL,
      PUBLIC_URL: 'https://dispatcher.example/',
    });
    expect(config).toMatchObject({
      publicUrl: 'https://dispatcher.example',
      mail: { smtpUrl: MAIL.SMTP_URL, from: MAIL.MAIL_FROM },
    });
    expect(JSON.stringify(configSummary(config))).not.toContain('mail-pass');
  });

  it.each([
    [{ PUBLIC_URL: 'http://dispatcher.example' }, /^PUBLIC_URL must/],
    [{ PUBLIC_URL: 'dispatcher.example' }, /^PUBLIC_URL must/],
    [{ ...MAIL, SMTP_URL: 'https://mail.example' }, /^SMTP_URL must/],
    [{ ...MAIL, MAIL_FROM: 'dispatcher' }, /^MAIL_FROM must/],
    [{ SMTP_URL: MAIL.SMTP_URL }, /^MAIL_FROM is required/],
  ])('refuses %j', (values, fault) => {
    expect(faultsOf({ ...PRODUCTION, ...values })).toEqual([expect.stringMatching(fault)]);
  });
});

it('SUPPORT_CONTACT is a text of at most 200 characters, and is optional', () => {
  const SUPPORT_CONTACT = 'payments-support@bank.example, +1 555 0100';
  expect(readConfig('api', { ...PRODUCTION, SUPPORT_CONTACT }).supportContact).toBe(SUPPORT_CONTACT);
  expect(readConfig('api', PRODUCTION).supportContact).toBeNull();
  expect(faultsOf({ ...PRODUCTION, SUPPORT_CONTACT: 'x'.repeat(201) })).toEqual([
    'SUPPORT_CONTACT must be 1 to 200 characters',
  ]);
});

describe('ENVIRONMENT_NAME', () => {
  it('ENVIRONMENT_NAME is optional, and the colour of an environment is gray by default', () => {
    expect(readConfig('api', PRODUCTION).environment).toBeNull();
    const named = { ...PRODUCTION, ENVIRONMENT_NAME: 'production' };
    expect(readConfig('api', named).environment).toEqual({ name: 'production', color: 'gray' });
    expect(readConfig('api', { ...named, ENVIRONMENT_COLOR: 'red' }).environment?.color).toBe('red');
    expect(faultsOf({ ...named, ENVIRONMENT_COLOR: 'crimson' })).toEqual([
      'ENVIRONMENT_COLOR must be one of red, orange, yellow, green, blue, grape, gray',
    ]);
    expect(faultsOf({ ...PRODUCTION, ENVIRONMENT_NAME: 'x'.repeat(31) })).toEqual([
      'ENVIRONMENT_NAME must be 1 to 30 characters',
    ]);
  });
});

describe('.env.example', () => {
  const text = readFileSync('.env.example', 'utf8');

  it('.env.example lists exactly the variables that are read', () => {
    const named = new Set([...text.matchAll(/^#? ?([A-Z_]+)=/gm)].map((match) => match[1]));
    const env = new Environment();
    const optional = [
      'DATABASE_URL',
      'DATABASE_PASSWORD',
      'QUEUE_BACKEND',
      'REDIS_URL',
      'ADMIN_API_KEY',
      'SECRETS_KEYRING',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OIDC_ISSUER',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'OIDC_REDIRECT_URL',
      'OIDC_ROLE_MAP',
      'ENVIRONMENT_NAME',
    ];
    expect(named).toEqual(new Set([...Object.keys(env), ...optional]));
  });

  it('.env.example is a valid environment with its two secrets filled in', () => {
    const filled = {
      ...parseEnv(text),
      ADMIN_API_KEY: PRODUCTION.ADMIN_API_KEY,
      SECRETS_KEYRING: PRODUCTION.SECRETS_KEYRING,
    };
    expect(faultsOf(filled)).toEqual([]);
    expect(parseEnv(text)['SECRETS_KEYRING']).toBe('');
    expect(parseEnv(text)['ADMIN_API_KEY']).toBe('');
  });
});
