import { ENVIRONMENT_COLORS } from '#libs/contracts';
import {
  choice,
  Fault,
  isNetwork,
  isNetworkOrHost,
  list,
  redisUrl,
  roleMap,
  safeUrl,
  signInUrl,
  text,
  truth,
  whole,
  type Variable,
} from './environment-rules.js';

/** `kid:base64,…`: 43 base64 characters and one `=` are 32 bytes, an AES-256 key. */
const KEYRING = /^[\w-]{1,32}:[A-Za-z0-9+/]{43}=(,[\w-]{1,32}:[A-Za-z0-9+/]{43}=)*$/;

/**
 * Every environment variable that the product reads, with its rule. Unset and empty are the same. Secrets can be in files
 * instead: `SECRET_NAMES`. `.env.example` lists the same names; a test compares the two.
 */
export const ENVIRONMENT = {
  /** Port of the HTTP listener of the api, the worker or stand-alone. */
  PORT: whole(3000, 0, 65_535),
  /** Address to listen on. */
  HOST: text('127.0.0.1', 'must be an address or a host name', /^[\w.:-]+$/),
  /** Proxies in front of the api whose `X-Forwarded-For` is trusted; none by default. */
  TRUSTED_PROXIES: list('must be a comma list of networks (10.0.0.0/8) or addresses', isNetwork),
  /** Producers' requests a second for each key and process; a batch is one request. */
  EVENT_REQUESTS_PER_SECOND: whole(5_000, 1, 1_000_000),
  /** All other requests a second for each key and process. */
  OTHER_REQUESTS_PER_SECOND: whole(500, 1, 1_000_000),
  /** PostgreSQL; stand-alone starts its own if unset. */
  DATABASE_URL: text(undefined, 'must be a postgres:// or postgresql:// URL', /^postgres(ql)?:\/\/\S+$/),
  /** The password for a DATABASE_URL without one, not percent-encoded. */
  DATABASE_PASSWORD: text(undefined, 'must not be empty', /./s),
  /** Size of each process's PostgreSQL connection pool. */
  DATABASE_POOL_SIZE: whole(10, 3, 500),
  /** Storage of BullMQ's jobs. */
  QUEUE_BACKEND: choice(undefined, ['redis', 'postgres']),
  /** One server, Sentinels, or a Cluster: see `redisServers` for the forms. */
  REDIS_URL: redisUrl,
  /** Key prefix in Redis, schema in PostgreSQL: two installations may share a server. */
  QUEUE_NAMESPACE: text(
    'dispatcher_queue',
    'must be lower-case letters, digits and _ (at most 41)',
    /^[a-z][a-z0-9_]{0,40}$/,
  ),
  /** Data folder of the stand-alone mode. */
  DATA_DIR: text('.data', 'must not be empty', /./s),
  /** The first admin key; at least 32 characters so that it cannot be guessed. */
  ADMIN_API_KEY: text(
    undefined,
    'must be 32 to 200 printable ASCII characters without spaces; make one with: openssl rand -hex 32',
    /^[\x21-\x7e]{32,200}$/,
  ),
  /** Keys that encrypt consumers' credentials at rest, newest first. */
  SECRETS_KEYRING: text(
    undefined,
    'must be kid:base64 pairs, newest first, each key 32 bytes; make one with: openssl rand -base64 32',
    KEYRING,
  ),
  /** Issuer of the OpenID Connect provider, as in its discovery document. People can sign in with API keys, too. */
  OIDC_ISSUER: safeUrl,
  /** Client id of this installation at the provider. */
  OIDC_CLIENT_ID: text(undefined, 'must be 1 to 500 printable ASCII characters', /^[\x20-\x7e]{1,500}$/),
  OIDC_CLIENT_SECRET: text(undefined, 'must be 1 to 500 printable ASCII characters', /^[\x20-\x7e]{1,500}$/),
  /** Address to which the provider redirects browsers: the console's public address followed by `/sign-in/openid`. */
  OIDC_REDIRECT_URL: signInUrl,
  /** The claim of the ID token, or else of UserInfo, whose values OIDC_ROLE_MAP maps to roles. */
  OIDC_ROLES_CLAIM: text('roles', 'must be the name of a claim', /^[\x21-\x7e]{1,200}$/),
  /** Values of that claim with their roles. */
  OIDC_ROLE_MAP: roleMap,
  /** Name of the provider in “Sign in with …”. */
  OIDC_LABEL: text('single sign-on', 'must be 1 to 60 characters', /^[^\p{C}]{1,60}$/u),
  /** Name of this installation on every screen of the console: production, test, … Empty: none. */
  ENVIRONMENT_NAME: text(undefined, 'must be 1 to 30 characters', /^[^\p{C}]{1,30}$/u),
  ENVIRONMENT_COLOR: choice('gray', ENVIRONMENT_COLORS),
  /** Networks and hosts that the egress guard permits although they are not public. */
  EGRESS_ALLOW: list(
    'must be a comma list of networks (10.0.0.0/8), addresses or host names',
    isNetworkOrHost,
  ),
  /** HTTP proxy that tunnels (CONNECT) all requests to consumers; other proxy settings are ignored. */
  EGRESS_PROXY: text(
    undefined,
    'must be http://host:port',
    /^http:\/\/(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?\/?$/i,
  ),
  /** Permits http consumers; for development. */
  ALLOW_HTTP: truth,
  /** The console's public address, for links in messages; without one, messages have none, and sign-in links are paths. */
  PUBLIC_URL: safeUrl,
  /** Mail server for channels and contacts: `smtp://user:password@host:587` or `smtps://host:465`. */
  SMTP_URL: text(undefined, 'must be smtp://host:port or smtps://host:port', /^smtps?:\/\/[^\s/]+\/?$/),
  /** The sender of mails. */
  MAIL_FROM: text(undefined, 'must be a mail address', /^[^\s@]+@[^\s@]+$/),
  /** Wire statuses admitted in addition to the specification's six, e.g. Processed. */
  WIRE_EXTRA_STATUSES: list('must be a comma list of statuses', (item) => /^[^\p{C}]{1,64}$/u.test(item)),
  /** Deliveries that one worker process sends at the same time. */
  WORKER_CONCURRENCY: whole(512, 1, 2_000),
  /** Interval of reconcile, in milliseconds. */
  RECONCILE_INTERVAL_MS: whole(15_000, 100, 30_000),
  /** Days for which events, deliveries and attempts are kept; unfinished ones are kept longer. */
  RETENTION_DAYS: whole(90, 31, 3_660),
  /** Base of an OpenTelemetry collector's OTLP/HTTP address (http://collector:4318); unset: no traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: text(undefined, 'must be an http:// or https:// URL', /^https?:\/\/\S+$/),
  LOG_LEVEL: choice('info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
};

export type Name = keyof typeof ENVIRONMENT;
type Values = { readonly [N in Name]: (typeof ENVIRONMENT)[N]['unset'] };

/** The same, in a form in which TypeScript knows the value of a name. */
const VARIABLES: { readonly [N in Name]: Variable<Values[N]> } = ENVIRONMENT;

/** What the environment has. */
export interface Variables {
  readonly faults: readonly string[];
  readonly isSet: (name: Name) => boolean;
  /** The value of a variable; of a faulty one, its value when unset. */
  readonly get: <N extends Name>(name: N) => Values[N];
}

/** Reports a missing variable. @returns '' for it */
export type Needed = (name: Name, why: string) => string;

/** Reads the texts that are not empty. */
export function readVariables(texts: Readonly<Record<string, string>>): Variables {
  const faults: string[] = [];
  for (const [name, { read }] of Object.entries(ENVIRONMENT)) {
    const given = texts[name];
    const value = given === undefined ? undefined : read(given);
    if (value instanceof Fault) faults.push(`${name} ${value.rule}`);
  }
  return {
    faults,
    isSet: (name) => texts[name] !== undefined,
    get: (name) => {
      const [given, { read, unset }] = [texts[name], VARIABLES[name]];
      const value = given === undefined ? unset : read(given);
      return value instanceof Fault ? unset : value;
    },
  };
}
