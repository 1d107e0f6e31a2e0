import 'reflect-metadata';
import { Expose, Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, Matches, Max, Min, MinLength, Validate } from 'class-validator';
import { ENVIRONMENT_COLORS, type EnvironmentColor } from '#libs/contracts';
import { BrandColor } from './brand-color.js';
import {
  asBoolean,
  asInteger,
  asList,
  Networks,
  NetworksOrHosts,
  OneOfTheRedisForms,
} from './environment-rules.js';
import { HttpsOrLoopback, RoleMap } from './openid-rules.js';

/** `kid:base64,…`: 43 base64 characters and one `=` are 32 bytes, an AES-256 key. */
const KEYRING = /^[\w-]{1,32}:[A-Za-z0-9+/]{43}=(,[\w-]{1,32}:[A-Za-z0-9+/]{43}=)*$/;

/**
 * Every environment variable that the product reads, with its rule. Unset and empty are the same. Secrets can be in files
 * instead: `SECRET_NAMES`. `.env.example` lists the same names; a test compares the two.
 */
export class Environment {
  /** Port of the HTTP listener of the api, the worker or stand-alone. */
  @Expose()
  @Transform(asInteger)
  @IsInt({ message: 'must be a port number' })
  @Min(0, { message: 'must be at least 0' })
  @Max(65_535, { message: 'must be at most 65535' })
  PORT = 3000;

  /** Address to listen on. */
  @Expose()
  @Matches(/^[\w.:-]+$/, { message: 'must be an address or a host name' })
  HOST = '127.0.0.1';

  /** Proxies in front of the api whose `X-Forwarded-For` is trusted; none by default. */
  @Expose()
  @Transform(asList)
  @Validate(Networks, { message: 'must be a comma list of networks (10.0.0.0/8) or addresses' })
  TRUSTED_PROXIES: string[] = [];

  /** Producers' requests a second for each key and process; a batch is one request. */
  @Expose()
  @Transform(asInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be at least 1' })
  @Max(1_000_000, { message: 'must be at most 1000000' })
  EVENT_REQUESTS_PER_SECOND = 5_000;

  /** All other requests a second for each key and process. */
  @Expose()
  @Transform(asInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be at least 1' })
  @Max(1_000_000, { message: 'must be at most 1000000' })
  OTHER_REQUESTS_PER_SECOND = 500;

  /** PostgreSQL; stand-alone starts its own if unset. Of several hosts, `a:5432,b:5432`, the one that can write is used. */
  @Expose()
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/\S+$/, { message: 'must be a postgres:// or postgresql:// URL' })
  @Matches(
    /^(?!\w+:\/\/([^/?#]*@)?[^/?#@]*,[^/?#@]*([/?#]|$))|[?&]target_session_attrs=(read-write|primary)(&|$)/,
    {
      message: 'has several hosts and needs target_session_attrs=read-write at its end',
    },
  )
  DATABASE_URL?: string;

  /** The password for a DATABASE_URL without one, not percent-encoded. */
  @Expose()
  @IsOptional()
  @MinLength(1, { message: 'must not be empty' })
  DATABASE_PASSWORD?: string;

  /** Size of each process's PostgreSQL connection pool. */
  @Expose()
  @Transform(asInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(3, { message: 'must be at least 3' })
  @Max(500, { message: 'must be at most 500' })
  DATABASE_POOL_SIZE = 10;

  /** Storage of BullMQ's jobs. */
  @Expose()
  @IsOptional()
  @IsIn(['redis', 'postgres'], { message: 'must be redis or postgres' })
  QUEUE_BACKEND?: 'redis' | 'postgres';

  /** One server, Sentinels, or a Cluster: see `redisServers` for the forms. */
  @Expose()
  @IsOptional()
  @Validate(OneOfTheRedisForms)
  REDIS_URL?: string;

  /** Key prefix in Redis, schema in PostgreSQL: two installations may share a server. */
  @Expose()
  @Matches(/^[a-z][a-z0-9_]{0,40}$/, { message: 'must be lower-case letters, digits and _ (at most 41)' })
  QUEUE_NAMESPACE = 'dispatcher_queue';

  /** Data folder of the stand-alone mode. */
  @Expose()
  @MinLength(1, { message: 'must not be empty' })
  DATA_DIR = '.data';

  /** The first admin key; at least 32 characters so that it cannot be guessed. */
  @Expose()
  @IsOptional()
  @Matches(/^[\x21-\x7e]{32,200}$/, {
    message:
      'must be 32 to 200 printable ASCII characters without spaces; make one with: openssl rand -hex 32',
  })
  ADMIN_API_KEY?: string;

  /** Keys that encrypt consumers' credentials at rest, newest first. */
  @Expose()
  @IsOptional()
  @Matches(KEYRING, {
    message:
      'must be kid:base64 pairs, newest first, each key 32 bytes; make one with: openssl rand -base64 32',
  })
  SECRETS_KEYRING?: string;

  /** Issuer of the OpenID Connect provider, as in its discovery document. People can sign in with API keys, too. */
  @Expose()
  @IsOptional()
  @Validate(HttpsOrLoopback)
  OIDC_ISSUER?: string;

  /** Client id of this installation at the provider. */
  @Expose()
  @IsOptional()
  @Matches(/^[\x20-\x7e]{1,500}$/, { message: 'must be 1 to 500 printable ASCII characters' })
  OIDC_CLIENT_ID?: string;

  @Expose()
  @IsOptional()
  @Matches(/^[\x20-\x7e]{1,500}$/, { message: 'must be 1 to 500 printable ASCII characters' })
  OIDC_CLIENT_SECRET?: string;

  /** Address to which the provider redirects browsers: the console's public address followed by `/sign-in/openid`. */
  @Expose()
  @IsOptional()
  @Validate(HttpsOrLoopback)
  @Matches(/^\w+:\/\/[^/]+\/sign-in\/openid$/, {
    message: 'must be the console’s address followed by /sign-in/openid',
  })
  OIDC_REDIRECT_URL?: string;

  /** The claim of the ID token, or else of UserInfo, whose values OIDC_ROLE_MAP maps to roles. */
  @Expose()
  @Matches(/^[\x21-\x7e]{1,200}$/, { message: 'must be the name of a claim' })
  OIDC_ROLES_CLAIM = 'roles';

  /** Values of that claim with their roles. */
  @Expose()
  @IsOptional()
  @Transform(asList)
  @Validate(RoleMap)
  OIDC_ROLE_MAP?: string[];

  /** Name of the provider in “Sign in with …”. */
  @Expose()
  @Matches(/^[^\p{C}]{1,60}$/u, { message: 'must be 1 to 60 characters' })
  OIDC_LABEL = 'single sign-on';

  /** Name of this installation on every screen of the console: production, test, … Empty: none. */
  @Expose()
  @IsOptional()
  @Matches(/^[^\p{C}]{1,30}$/u, { message: 'must be 1 to 30 characters' })
  ENVIRONMENT_NAME?: string;

  @Expose()
  @IsIn(ENVIRONMENT_COLORS, { message: `must be one of ${ENVIRONMENT_COLORS.join(', ')}` })
  ENVIRONMENT_COLOR: EnvironmentColor = 'gray';

  /** The bank's name in the console and the portal. Empty: the product's own. */
  @Expose()
  @IsOptional()
  @Matches(/^[^\p{C}]{1,40}$/u, { message: 'must be 1 to 40 characters' })
  BRAND_NAME?: string;

  /** Its colour, `#rrggbb`: of buttons, links and marks in the console and the portal. */
  @Expose()
  @IsOptional()
  @Validate(BrandColor)
  BRAND_COLOR?: string;

  /** Its logo: an SVG or PNG file of at most 64 kB, read at the start. */
  @Expose()
  @IsOptional()
  @MinLength(1, { message: 'must not be empty' })
  BRAND_LOGO_FILE?: string;

  /** Networks and hosts that the egress guard permits although they are not public. */
  @Expose()
  @Transform(asList)
  @Validate(NetworksOrHosts, {
    message: 'must be a comma list of networks (10.0.0.0/8), addresses or host names',
  })
  EGRESS_ALLOW: string[] = [];

  /** HTTP proxy that tunnels (CONNECT) all requests to consumers; other proxy settings are ignored. */
  @Expose()
  @IsOptional()
  @Matches(/^http:\/\/(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?\/?$/i, { message: 'must be http://host:port' })
  EGRESS_PROXY?: string;

  /** Permits http consumers; for development. */
  @Expose()
  @Transform(asBoolean)
  @IsBoolean({ message: 'must be true or false' })
  ALLOW_HTTP = false;

  /** The console's public address, for links in messages; without one, messages have none, and sign-in links are paths. */
  @Expose()
  @IsOptional()
  @Validate(HttpsOrLoopback)
  PUBLIC_URL?: string;

  /** Mail server for channels and contacts: `smtp://user:password@host:587` or `smtps://host:465`. */
  @Expose()
  @IsOptional()
  @Matches(/^smtps?:\/\/[^\s/]+\/?$/, { message: 'must be smtp://host:port or smtps://host:port' })
  SMTP_URL?: string;

  /** The sender of mails. */
  @Expose()
  @IsOptional()
  @Matches(/^[^\s@]+@[^\s@]+$/, { message: 'must be a mail address' })
  MAIL_FROM?: string;

  /** Whom consumers' people ask: a mail address, a telephone number, or both. The portal shows it. */
  @Expose()
  @IsOptional()
  @Matches(/^[^\p{C}]{1,200}$/u, { message: 'must be 1 to 200 characters' })
  SUPPORT_CONTACT?: string;

  /** Wire statuses admitted in addition to the specification's six, e.g. Processed. */
  @Expose()
  @Transform(asList)
  @Matches(/^[^\p{C}]{1,64}$/u, { each: true, message: 'must be a comma list of statuses' })
  WIRE_EXTRA_STATUSES: string[] = [];

  /** Deliveries that one worker process sends at the same time. */
  @Expose()
  @Transform(asInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be at least 1' })
  @Max(2_000, { message: 'must be at most 2000' })
  WORKER_CONCURRENCY = 512;

  /** Interval of reconcile, in milliseconds. */
  @Expose()
  @Transform(asInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(100, { message: 'must be at least 100' })
  @Max(30_000, { message: 'must be at most 30000' })
  RECONCILE_INTERVAL_MS = 15_000;

  /** Days for which events, deliveries and attempts are kept; unfinished ones are kept longer. */
  @Expose()
  @Transform(asInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(31, { message: 'must be at least 31' })
  @Max(3_660, { message: 'must be at most 3660' })
  RETENTION_DAYS = 90;

  /** Base of an OpenTelemetry collector's OTLP/HTTP address (http://collector:4318); unset: no traces. */
  @Expose()
  @IsOptional()
  @Matches(/^https?:\/\/\S+$/, { message: 'must be an http:// or https:// URL' })
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  @Expose()
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    message: 'must be trace, debug, info, warn, error, fatal or silent',
  })
  LOG_LEVEL = 'info';
}
