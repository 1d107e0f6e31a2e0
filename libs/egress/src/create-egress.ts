import { lookup as systemLookup } from 'node:dns';
import { within } from '#libs/contracts';
import type { Dispatcher } from 'undici';
import { createConnectionPools, type Pool } from './connection-pools.js';
import { parseEgressAllow, type EgressAllow } from './egress-allow.js';
import { parseEgressProxy } from './egress-proxy.js';
import { LocalFaultError, type Egress, type EgressRequest, type Exchange } from './exchange.js';
import { dialling } from './guarded-connector.js';
import { createGuardedLookup, type Lookup } from './guarded-lookup.js';
import { readExchange, withoutAnswer } from './read-exchange.js';
import { ResponseCollector, type Collected, type CollectorLimits } from './response-collector.js';
import { requestTarget } from './request-target.js';

/** What is read of a response's body before the connection is cut. */
const MAX_BODY_BYTES = 65_536;
/** What is kept of it. */
const KEPT_BODY_BYTES = 4_096;
/** What a consumer changes in its DNS or its certificate is noticed within it, however busy the connection. */
const CONNECTION_LIFE_MS = 5 * 60_000;
/** Timers hold 31 bits. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export interface EgressOptions {
  /** The entries of `EGRESS_ALLOW`; see `parseEgressAllow`. */
  readonly allow: readonly string[];
  /** `EGRESS_PROXY`, http://host:port: every connection goes through a tunnel of it. Null or absent: direct. */
  readonly proxy?: string | null;
  readonly maxBodyBytes?: number;
  readonly keptBodyBytes?: number;
  readonly connectionLifeMs?: number;
  /** Instead of the system's name lookup; for tests. */
  readonly lookup?: Lookup;
}

/**
 * Opens the door to the outside: HTTP/1.1 POSTs over kept-alive connections, to permitted addresses only,
 * bounded in time and size, following no redirect and heeding no proxy setting but its own.
 *
 * @throws RangeError when an entry of `allow`, or `proxy`, is none.
 */
export function createEgress(options: EgressOptions): Egress {
  const allow = allowOrThrow(options.allow);
  const pools = createConnectionPools({
    allow,
    lookup: createGuardedLookup(options.lookup ?? systemLookup, allow),
    connectionLifeMs: options.connectionLifeMs ?? CONNECTION_LIFE_MS,
    proxy: typeof options.proxy === 'string' ? parseEgressProxy(options.proxy) : null,
  });
  const limits: CollectorLimits = {
    maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
    keptBodyBytes: options.keptBodyBytes ?? KEPT_BODY_BYTES,
  };
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;

  const exchange = async (request: EgressRequest): Promise<Exchange> => {
    const target = requestTarget(request.url);
    const pool = poolFor(request);
    const startedAtMs = performance.now();
    const sentAtMs = Date.now();
    const requestHeaders = request.buildHeaders(sentAtMs);
    const answer =
      pool === null
        ? withoutAnswer({ outcome: 'tls', detail: 'the certificates registered for it cannot be read' })
        : readExchange(
            await send(
              pool.dispatcher,
              { ...target, headers: requestHeaders, body: request.body },
              limits,
              request.timeoutMs,
              startedAtMs + request.timeoutMs,
            ),
          );
    return {
      ...answer,
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
      underWay.add(running);
      try {
        return await running;
      } finally {
        underWay.delete(running);
      }
    },

    async close({ withinMs } = {}) {
      isClosed = true;
      const ended = Promise.allSettled(underWay);
      await (withinMs === undefined ? ended : within(withinMs, ended));
      await pools.destroy();
      await ended;
    },
  };
}

function allowOrThrow(entries: readonly string[]): EgressAllow {
  const parsed = parseEgressAllow(entries);
  if (!parsed.ok) throw new RangeError(parsed.faults.join('; '));
  return parsed.allow;
}

/**
 * Sends one request over a pool, with one clock for all of it.
 *
 * @param deadlineMs by `performance.now()`: the end of `timeoutMs`
 */
function send(
  pool: Dispatcher,
  request: Omit<Dispatcher.DispatchOptions, 'method'>,
  limits: CollectorLimits,
  timeoutMs: number,
  deadlineMs: number,
): Promise<Collected> {
  return new Promise((settle) => {
    const collector = new ResponseCollector(limits, deadlineMs, (collected) => {
      clearTimeout(timer);
      settle(collected);
    });
    const timer = setTimeout(() => {
      collector.timeOut();
    }, timeoutMs);
    dialling.run(timeoutMs, () => pool.dispatch({ ...request, method: 'POST' }, collector));
  });
}
