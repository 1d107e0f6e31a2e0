import { ofPart, type Variation } from './variation.js';

/** Scheme with its slashes, host and port, path and query. */
const PARTS = /^(https?:\/\/)([^/?]*)([^?]*)(\?.*)?$/is;

interface UrlParts {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
}

/** A change of a URL's parts; null for a text that is not an http URL. */
const changing =
  (change: (parts: UrlParts) => string | null) =>
  (url: string): string | null => {
    const match = PARTS.exec(url);
    if (match === null) return null;
    const [, scheme = '', authority = '', path = '', query = ''] = match;
    return change({ scheme, authority, path, query });
  };

const otherScheme = (scheme: string): string =>
  scheme.toLowerCase() === 'https://' ? 'http://' : 'https://';
const defaultPort = (scheme: string): string => (scheme.toLowerCase() === 'https://' ? ':443' : ':80');

/** How consumers, their frameworks and proxies change the registered URL. */
export const urlVariations = (registeredUrl: string): Variation[] => [
  ofPart(
    'url_registered',
    'url',
    'The consumer signs the registered URL, not the one that was pasted.',
    () => registeredUrl,
  ),
  ofPart(
    'url_canonical',
    'url',
    'The consumer signs the URL in its canonical form: host in lower case, no default port.',
    (url) => URL.parse(url)?.href ?? null,
  ),
  ofPart(
    'url_without_query',
    'url',
    'The consumer leaves out the query of the URL (from the question mark on).',
    changing(({ scheme, authority, path }) => scheme + authority + path),
  ),
  ofPart(
    'url_slash',
    'url',
    'The trailing slash of the URL’s path differs: the consumer adds one or leaves it out.',
    changing(
      ({ scheme, authority, path, query }) =>
        scheme + authority + (path.endsWith('/') ? path.slice(0, -1) : `${path}/`) + query,
    ),
  ),
  ofPart(
    'url_scheme',
    'url',
    'The scheme of the URL differs: the consumer signs http:// for https://, or the reverse, as behind a proxy that ends TLS.',
    changing(({ scheme, authority, path, query }) => otherScheme(scheme) + authority + path + query),
  ),
  ofPart(
    'url_host_case',
    'url',
    'The consumer signs the URL with its host in capitals.',
    changing(({ scheme, authority, path, query }) => scheme + authority.toUpperCase() + path + query),
  ),
  ofPart(
    'url_default_port',
    'url',
    'The consumer adds the default port to the host of the URL (:443 or :80).',
    changing(({ scheme, authority, path, query }) =>
      /:\d*$/.test(authority) ? null : scheme + authority + defaultPort(scheme) + path + query,
    ),
  ),
  ofPart(
    'url_path_only',
    'url',
    'The consumer signs the path (and query) only, without scheme and host.',
    changing(({ path, query }) => (path === '' ? '/' : path) + query),
  ),
];
