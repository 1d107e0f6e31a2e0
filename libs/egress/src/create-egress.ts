import { lookup as systemLookup } from 'node:dns';
import { within } from '#libs/contracts';
import { createConnectionPools, type Pool } from './connection-pools.js';
import { parseEgressAllow, type EgressAllow } from './egress-allow.js';
import { parseEgressProxy } from './egress-proxy.js';
import { LocalFaultError, type Egress, type EgressRequest, type Exchange } from './exchange.js';
import { createGuardedLookup, type Lookup } from './guarded-lookup.js';
import { readExchange, withoutAnswer } from './read-exchange.js';
import { RequestSender } from './request-sender.js';
import { requestTarget } from './request-target.js';

/** A longer response body ends the connection. */
const MAX_BODY_BYTES = 65_536;
/** The beginning of the body that is kept. */
const KEPT_BODY_BYTES = 4_096;
/** A changed DNS entry or certificate takes effect within this time, also on a busy connection. */
const CONNECTION_LIFE_MS = 5 * 60_000;
/** The longest timer of Node: 31 bits. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const CERTIFICATES_UNREADABLE = withoutAnswer({
  outcome: 'tls',
  detail: 'the registered certificates cannot be read',
});

export interface EgressOptions {
  /** The entries of `EGRESS_ALLOW`; see `parseEgressAllow`. */
  readonly allow: readonly string[];
  /** `EGRESS_PROXY`, http://host:port: all connections are tunnelled through it. Null or absent: direct. */
  readonly proxy?: string | null;
  readonly maxBodyBytes?: number;
  readonly keptBodyBytes?: number;
  readonly connectionLifeMs?: number;
  /** Replaces the system's name lookup in tests. */
  readonly lookup?: Lookup;
}

/**
 * HTTP/1.1 POSTs over kept-alive connections, to permitted addresses only, bounded in time and size. Redirects are not
 * followed, and proxy settings other than `proxy` are ignored.
 *
 * @throws RangeError when `proxy` or an entry of `allow` is invalid.
 */
export function createEgress(options: EgressOptions): Egress {
  const allow = allowOrThrow(options.allow);
  const pools = createConnectionPools({
    allow,
    lookup: createGuardedLookup(options.lookup ?? systemLookup, allow),
    connectionLifeMs: options.connectionLifeMs ?? CONNECTION_LIFE_MS,
    proxy: typeof options.proxy === 'string' ? parseEgressProxy(options.proxy) : null,
  });
  const sender = new RequestSender({
    maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
    keptBodyBytes: options.keptBodyBytes ?? KEPT_BODY_BYTES,
  });
  const inFlight = new Set<Promise<unknown>>();
  let isClosed = false;

  const exchange = async (request: EgressRequest): Promise<Exchange> => {
    const target = requestTarget(request.url);
    const pool = poolFor(request);
    const startedAtMs = performance.now();
    let sentAtMs = Date.now();
    let requestHeaders: Exchange['requestHeaders'] = {};
    const collected =
      pool === null
        ? null
        : await sender.post(
            pool.dispatcher,
            { ...target, method: 'POST', body: request.body },
            { timeoutMs: request.timeoutMs, deadlineMs: startedAtMs + request.timeoutMs },
            () => {
              sentAtMs = Date.now();
              requestHeaders = request.buildHeaders(sentAtMs);
              return requestHeaders;
            },
          );
    return {
      ...(collected === null ? CERTIFICATES_UNREADABLE : readExchange(collected)),
      remoteAddress: collected?.remoteAddress ?? null,
      sentAt: new Date(sentAtMs),
      durationMs: Math.round(performance.now() - startedAtMs),
      requestHeaders,
      serverCertificate: pool?.serverCertificate(target.origin) ?? null,
    };
  };

  const poolFor = (request: EgressRequest): Pool | null => {
    try {
      return pools.for(request.tls);
    } catch {
      return null;
    }
  };

  return {
    async post(request) {
      if (isClosed) throw new LocalFaultError('the dispatcher is stopping');
      if (!(request.timeoutMs > 0 && request.timeoutMs <= MAX_TIMEOUT_MS)) {
        throw new RangeError(`timeoutMs must be from 1 to ${MAX_TIMEOUT_MS}, not ${request.timeoutMs}`);
      }
      const running = exchange(request);
      inFlight.add(running);
      try {
        return await running;
      } finally {
        inFlight.delete(running);
      }
    },

    async close({ withinMs } = {}) {
      isClosed = true;
      const ended = Promise.allSettled(inFlight);
      await (withinMs === undefined ? ended : within(withinMs, ended));
      await pools.destroy();
      await ended;
      sender.end();
    },
  };
}

function allowOrThrow(entries: readonly string[]): EgressAllow {
  const parsed = parseEgressAllow(entries);
  if (!parsed.ok) throw new RangeError(parsed.faults.join('; '));
  return parsed.allow;
}
