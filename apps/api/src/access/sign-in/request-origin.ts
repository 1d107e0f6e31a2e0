import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from '#libs/config';

type Headers = Readonly<Pick<IncomingHttpHeaders, 'host' | 'origin'>> & {
  readonly 'sec-fetch-site'?: string | string[] | undefined;
};

/**
 * Returns whether a page of the console or of a foreign site caused a request; `unknown` without the headers (no
 * browser, or an old one). Pages cannot set `Sec-Fetch-Site`. Browsers omit it over plain http, hence `Origin`.
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
 * Returns how the browser reaches the console; `loopback` is plain http on the machine itself. Behind a proxy that
 * terminates TLS only `Origin` shows the scheme. A request without it counts as https unless its host is a loopback.
 */
export function requestScheme({ host = '', origin }: Headers): 'https' | 'loopback' | 'plain' {
  const url = origin ?? `${isLoopback(`http://${host}`) ? 'http' : 'https'}://${host}`;
  if (url.startsWith('https:')) return 'https';
  return isLoopback(url) ? 'loopback' : 'plain';
}

/** Whether the `Host` header of a request names the machine itself. */
export const isForLoopback = ({ host = '' }: Pick<Headers, 'host'>): boolean => isLoopback(`http://${host}`);

const isLoopback = (url: string): boolean => URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
