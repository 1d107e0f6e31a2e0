/** Address of one Redis process. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

/** The Redis of an installation: one server, the current master of Sentinels, or a Cluster. */
export type RedisServers = (
  | { readonly kind: 'single'; readonly address: RedisAddress; readonly database: number }
  | {
      readonly kind: 'sentinel';
      readonly sentinels: readonly RedisAddress[];
      readonly masterName: string;
      readonly database: number;
      /** Login at the Sentinels; `login` is for the master. */
      readonly sentinelLogin: RedisLogin;
    }
  | { readonly kind: 'cluster'; readonly nodes: readonly RedisAddress[] }
) & { readonly login: RedisLogin; readonly tls: boolean };

export interface RedisLogin {
  readonly username?: string;
  readonly password?: string;
}

/** The broken rule of `REDIS_URL`, without the value, which can hold a password. */
export class RedisUrlError extends Error {
  override readonly name = 'RedisUrlError';
}

const SHAPE =
  /^redis(?<tls>s?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<login>[^@/\s]*)@)?(?<hosts>[^@/?#\s]+)(?<path>\/[^?#\s]*)?(?:\?(?<query>[^#\s]*))?$/;

/** A name, an IPv4 address, or an IPv6 address in brackets. */
const ADDRESS = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<host>[\w.-]+))(?::(?<port>\d{1,5}))?$/i;

const FORMS =
  'must be redis://[user:password@]host[:port][/database], ' +
  'redis+sentinel://[user:password@]host[:port],…/master-name[/database][?sentinelUsername=…&sentinelPassword=…] or ' +
  'redis+cluster://[user:password@]host[:port],… (rediss… for TLS)';

/**
 * Reads `REDIS_URL`.
 * @throws RedisUrlError with the broken rule
 */
export function redisServers(url: string): RedisServers {
  const parts = SHAPE.exec(url)?.groups;
  if (parts === undefined) throw new RedisUrlError(FORMS);
  const [kind, hosts, path] = [kindOf(parts['kind']), parts['hosts'] ?? '', (parts['path'] ?? '').slice(1)];
  const query = new URLSearchParams(parts['query'] ?? '');
  const common = { login: loginOf(parts['login']), tls: parts['tls'] === 's' };
  const known = kind === 'sentinel' ? ['sentinelUsername', 'sentinelPassword'] : [];
  if ([...query.keys()].some((name) => !known.includes(name)))
    throw new RedisUrlError(
      known.length === 0 ? 'must have no ?…' : `must have only ${known.join(' and ')} after its ?`,
    );
  switch (kind) {
    case 'sentinel': {
      const [masterName = '', database, ...more] = path.split('/');
      if (masterName === '' || more.length > 0)
        throw new RedisUrlError(
          'must name the master behind the Sentinels: redis+sentinel://host:port,…/master-name',
        );
      return {
        kind,
        sentinels: addressesOf(hosts, 26_379),
        masterName: decoded(masterName),
        database: databaseOf(database),
        sentinelLogin: {
          ...(query.has('sentinelUsername') ? { username: query.get('sentinelUsername') ?? '' } : {}),
          ...(query.has('sentinelPassword') ? { password: query.get('sentinelPassword') ?? '' } : {}),
        },
        ...common,
      };
    }
    case 'cluster':
      if (path !== '') throw new RedisUrlError('must name no database: a Cluster has only one');
      return { kind, nodes: addressesOf(hosts, 6_379), ...common };
    case 'single': {
      const [address, ...more] = addressesOf(hosts, 6_379);
      if (address === undefined || more.length > 0)
        throw new RedisUrlError('must name one server; several are redis+sentinel:// or redis+cluster://');
      return { kind, address, database: databaseOf(path === '' ? undefined : path), ...common };
    }
  }
}

function kindOf(text: string | undefined): RedisServers['kind'] {
  return text === 'sentinel' || text === 'cluster' ? text : 'single';
}

function addressesOf(hosts: string, defaultPort: number): RedisAddress[] {
  return hosts.split(',').map((item) => {
    const parts = ADDRESS.exec(item)?.groups;
    const port = Number(parts?.['port'] ?? defaultPort);
    if (parts === undefined || port < 1 || port > 65_535)
      throw new RedisUrlError('must list its servers as host:port, separated by commas');
    return { host: parts['six'] ?? parts['host'] ?? '', port };
  });
}

function loginOf(text: string | undefined): RedisLogin {
  if (text === undefined || text === '') return {};
  const at = text.indexOf(':');
  const [username, password] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return {
    ...(username === '' ? {} : { username: decoded(username) }),
    ...(password === '' ? {} : { password: decoded(password) }),
  };
}

function databaseOf(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^\d{1,4}$/.test(text)) throw new RedisUrlError('must have a number as its database');
  return Number(text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RedisUrlError('must have % in front of two hexadecimal digits only (%25 for % itself)');
  }
}
