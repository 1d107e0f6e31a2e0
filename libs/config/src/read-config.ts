import type { EnvironmentColor } from '#libs/contracts';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { Environment } from './environment.js';
import { readBrand, type BrandConfig } from './read-brand.js';
import { readOpenId, type OpenIdConfig } from './read-openid.js';
import { readSecretFiles } from './secret-files.js';

/** Kind of the process; each requires other variables. `tool` is a command that uses no secret, such as migrate. */
export type ProcessKind = 'api' | 'worker' | 'standalone' | 'tool';

/** Storage of the queue's jobs; the union excludes a half-configured backend. */
export type QueueConfig = (
  | { readonly backend: 'redis'; readonly url: string }
  | { readonly backend: 'postgres'; readonly url: string }
) & { readonly namespace: string };

/** The whole configuration, validated; no other part of the product reads the environment. */
export interface Config {
  readonly kind: ProcessKind;
  readonly http: { readonly host: string; readonly port: number; readonly trustedProxies: readonly string[] };
  /** Requests a second for each key and process. */
  readonly rates: { readonly eventRequestsPerSecond: number; readonly otherRequestsPerSecond: number };
  readonly database: { readonly url: string; readonly poolSize: number };
  readonly queue: QueueConfig;
  readonly adminApiKey: string | null;
  readonly keyring: string;
  /** null: people sign in with API keys only. */
  readonly openId: OpenIdConfig | null;
  /** Name of this installation in the console; null: none. */
  readonly environment: { readonly name: string; readonly color: EnvironmentColor } | null;
  readonly brand: BrandConfig;
  readonly egress: {
    readonly allow: readonly string[];
    readonly allowHttp: boolean;
    /** http://host:port; null: connections are direct. */
    readonly proxy: string | null;
  };
  /** The console's public address, without a slash at its end; null: messages have no links, and sign-in links are paths. */
  readonly publicUrl: string | null;
  /** The mail server and the sender; null: no mail is sent. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | null;
  /** Whom consumers' people ask; null: the portal names nobody. */
  readonly supportContact: string | null;
  readonly wireExtraStatuses: readonly string[];
  readonly workerConcurrency: number;
  readonly reconcileIntervalMs: number;
  readonly retentionDays: number;
  readonly logLevel: string;
  /** Address for spans; null: none are sent. */
  readonly tracesEndpoint: string | null;
}

/** All faults of the environment in one message, without values, which can be secrets. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${String(faults.length)} fault(s):\n` +
        faults.map((fault) => `  - ${fault}`).join('\n') +
        '\nSet them in the environment (see .env.example) and start again.',
    );
  }
}

/** The process's environment; read here only. */
export const processEnvironment = (): Readonly<NodeJS.ProcessEnv> => process.env;

/** DATA_DIR; stand-alone needs it before the rest of the configuration. */
export const dataDirectory = (env: Readonly<NodeJS.ProcessEnv>): string =>
  env['DATA_DIR'] !== undefined && env['DATA_DIR'] !== '' ? env['DATA_DIR'] : new Environment().DATA_DIR;

/**
 * Reads and checks the environment once, and the files that it names for secrets.
 * @param defaults for variables that the environment has neither as a value nor as a file
 * @throws ConfigurationError listing every fault at once
 */
export function readConfig(
  kind: ProcessKind,
  env: Readonly<NodeJS.ProcessEnv>,
  defaults: Readonly<Record<string, string>> = {},
): Config {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && value !== '') given[name] = value;
  const files = readSecretFiles(given);
  const values = plainToInstance(
    Environment,
    { ...defaults, ...given, ...files.secrets },
    { excludeExtraneousValues: true, exposeDefaultValues: true },
  );
  const faults = validateSync(values).flatMap((error) =>
    Object.values(error.constraints ?? {}).map((rule) => `${error.property} ${rule}`),
  );
  faults.push(...files.faults);
  const needed = (name: keyof Environment, why: string): string => {
    const value = values[name];
    if (typeof value === 'string') return value;
    if (!faults.some((fault) => fault.startsWith(`${name} `))) faults.push(`${name} is required: ${why}`);
    return '';
  };

  const databaseUrl = withPassword(
    needed('DATABASE_URL', 'the PostgreSQL that holds what was accepted'),
    values.DATABASE_PASSWORD,
    faults,
  );
  const queue = readQueue(kind, values, databaseUrl, needed);
  const keyring =
    kind === 'tool' ? '' : needed('SECRETS_KEYRING', 'consumers’ credentials are encrypted with it');
  if (kind === 'api') needed('ADMIN_API_KEY', 'the first operator signs in with it');
  const openId = readOpenId(values, needed);
  const brand = readBrand(values, faults);
  if (values.SMTP_URL !== undefined) needed('MAIL_FROM', 'SMTP_URL is set');
  if (faults.length > 0) throw new ConfigurationError(faults);

  return {
    kind,
    http: { host: values.HOST, port: values.PORT, trustedProxies: values.TRUSTED_PROXIES },
    rates: {
      eventRequestsPerSecond: values.EVENT_REQUESTS_PER_SECOND,
      otherRequestsPerSecond: values.OTHER_REQUESTS_PER_SECOND,
    },
    database: { url: databaseUrl, poolSize: values.DATABASE_POOL_SIZE },
    queue,
    adminApiKey: values.ADMIN_API_KEY ?? null,
    keyring,
    openId,
    environment:
      values.ENVIRONMENT_NAME === undefined
        ? null
        : { name: values.ENVIRONMENT_NAME, color: values.ENVIRONMENT_COLOR },
    brand,
    egress: {
      allow: values.EGRESS_ALLOW,
      allowHttp: values.ALLOW_HTTP,
      proxy: values.EGRESS_PROXY ?? null,
    },
    publicUrl: values.PUBLIC_URL?.replace(/\/$/, '') ?? null,
    mail: values.SMTP_URL === undefined ? null : { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM ?? '' },
    supportContact: values.SUPPORT_CONTACT ?? null,
    wireExtraStatuses: values.WIRE_EXTRA_STATUSES,
    workerConcurrency: values.WORKER_CONCURRENCY,
    reconcileIntervalMs: values.RECONCILE_INTERVAL_MS,
    retentionDays: values.RETENTION_DAYS,
    logLevel: values.LOG_LEVEL,
    tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
  };
}

/** Adds the password as a query parameter, since a URL can lack a user. */
function withPassword(url: string, password: string | undefined, faults: string[]): string {
  if (password === undefined || url === '') return url;
  if (HAS_PASSWORD.test(url)) {
    faults.push(
      'DATABASE_PASSWORD is given twice: DATABASE_URL holds a password already; remove one of them',
    );
  }
  return `${url}${url.includes('?') ? '&' : '?'}password=${encodeURIComponent(password)}`;
}

const HAS_PASSWORD = /^[a-z]+:\/\/[^/?#@]*:[^/?#]*@|[?&]password=/;

/** The default is Redis; for stand-alone it is PostgreSQL, unless REDIS_URL is set. */
function readQueue(
  kind: ProcessKind,
  values: Environment,
  databaseUrl: string,
  needed: (name: keyof Environment, why: string) => string,
): QueueConfig {
  const fallback = kind === 'standalone' && values.REDIS_URL === undefined ? 'postgres' : 'redis';
  const namespace = values.QUEUE_NAMESPACE;
  switch (values.QUEUE_BACKEND ?? fallback) {
    case 'postgres':
      return { backend: 'postgres', url: databaseUrl, namespace };
    case 'redis':
      return { backend: 'redis', url: needed('REDIS_URL', 'QUEUE_BACKEND is redis'), namespace };
  }
}
