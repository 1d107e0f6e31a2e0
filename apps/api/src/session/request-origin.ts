import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from '#libs/config';

type Headers = Readonly<Pick<IncomingHttpHeaders, 'host' | 'origin'>> & {
  readonly 'sec-fetch-site'?: string | string[] | undefined;
};

/**
 * Which site's page made a browser send a request; `unknown` when the request does not say (no browser, or an old one).
 * `Sec-Fetch-Site` cannot be set by a page. Browsers leave it out over plain http, hence `Origin`.
 */
export function requestSite({
  host,
  origin,
  'sec-fetch-site': site,
}: Headers): 'own' | 'foreign' | 'unknown' {
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'foreign';
  if (origin === undefined) return 'unknown';
  return URL.canParse(origin) && new URL(origin).host === host ? 'own' : 'foreign';
}

/**
 * How the browser reaches the console: `loopback` is plain http on the machine itself. Behind a proxy that ends TLS only the
 * browser's `Origin` shows it; a request without one counts as https unless it names this machine.
 */
export function requestScheme({ host = '', origin }: Headers): 'https' | 'loopback' | 'plain' {
  const url = origin ?? `${isLoopback(`http://${host}`) ? 'http' : 'https'}://${host}`;
  if (url.startsWith('https:')) return 'https';
  return isLoopback(url) ? 'loopback' : 'plain';
}

/** Whether a request names the machine itself as the one that it is for. */
export const isForLoopback = ({ host = '' }: Pick<Headers, 'host'>): boolean => isLoopback(`http://${host}`);

const isLoopback = (url: string): boolean => URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
