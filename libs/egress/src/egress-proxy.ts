import { request } from 'node:http';
import { isIP, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { LocalFaultError } from './exchange.js';
import { FailureError } from './failure.js';

/** Longer than any consumer's timeout, which ends the exchange first. */
const TUNNEL_TIMEOUT_MS = 35_000;

/** A proxy that opens tunnels (CONNECT, RFC 9110, section 9.3.6). */
export interface EgressProxy {
  readonly host: string;
  readonly port: number;
}

/** Reads `EGRESS_PROXY`, `http://host:port`. @throws RangeError for any other text */
export function parseEgressProxy(text: string): EgressProxy {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' || url.pathname !== '/' || url.username + url.password + url.search !== '') {
    throw new RangeError('the egress proxy must be http://host:port');
  }
  return { host: url.hostname.replaceAll(/[[\]]/g, ''), port: url.port === '' ? 80 : Number(url.port) };
}

/**
 * Opens a tunnel to a host whose addresses the guard has permitted. The proxy gets the checked address and never the
 * name, which it could resolve to another address. Of several addresses, the first that answers is used.
 *
 * @param lookup made by `createGuardedLookup`
 * @throws FailureError when the guard or the proxy refuses; LocalFaultError when the proxy itself is unreachable
 */
export async function openTunnel(
  proxy: EgressProxy,
  target: { readonly hostname: string; readonly port: string | number },
  lookup: LookupFunction,
): Promise<Socket> {
  let fault: unknown;
  for (const address of await addressesOf(target.hostname, lookup)) {
    try {
      return await connectThrough(proxy, `${isIPv6(address) ? `[${address}]` : address}:${target.port}`);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      fault = error;
    }
  }
  throw fault;
}

function addressesOf(hostname: string, lookup: LookupFunction): Promise<readonly string[]> {
  if (isIP(hostname) !== 0) return Promise.resolve([hostname]);
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, found) => {
      if (error !== null) reject(error);
      else resolve(Array.isArray(found) ? found.map(({ address }) => address) : [found]);
    });
  });
}

function connectThrough({ host, port }: EgressProxy, authority: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    request({
      method: 'CONNECT',
      host,
      port,
      path: authority,
      headers: { host: authority },
      agent: false,
      signal: AbortSignal.timeout(TUNNEL_TIMEOUT_MS),
    })
      .once('connect', ({ statusCode = 0 }, socket, head) => {
        if (statusCode >= 200 && statusCode < 300 && head.length === 0) {
          resolve(socket);
          return;
        }
        socket.destroy();
        const detail = `the egress proxy does not connect (HTTP ${String(statusCode)})`;
        reject(new FailureError({ outcome: 'connect', detail }));
      })
      .once('error', (cause) => reject(new LocalFaultError('the egress proxy is unreachable', { cause })))
      .end();
  });
}
