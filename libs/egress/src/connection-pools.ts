import { createHash } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { CertificateFacts } from '#libs/contracts';
import { LRUCache } from 'lru-cache';
import { Agent, type Dispatcher } from 'undici';
import { certificateFacts } from './certificate-facts.js';
import { secureContextOf, type ConsumerTls } from './consumer-tls.js';
import type { EgressAllow } from './egress-allow.js';
import type { EgressProxy } from './egress-proxy.js';
import { createGuardedConnector } from './guarded-connector.js';

const MAX_RESPONSE_HEADER_BYTES = 16_384;
/** Idle connections are dropped before most servers drop theirs: a request must not meet a closing connection. */
const IDLE_MS = 4_000;
/** The longest idle time that a server's `Keep-Alive: timeout` can ask for. */
const LONGEST_IDLE_MS = 60_000;
/** Pools for consumers with certificates of their own. */
const MAX_POOLS = 500;
/** An unused pool is one of former credentials, and its private key should not stay in memory. */
const UNUSED_FOR_MS = 60_000;
/** Server certificates remembered, of all pools together. */
const MAX_CERTIFICATES = 10_000;

/** The connections of one TLS identity. */
export interface Pool {
  readonly dispatcher: Dispatcher;
  /** The last certificate of an origin's server; null before the first handshake. */
  serverCertificate(origin: string): CertificateFacts | null;
}

/** Connections kept alive. Consumers share a pool only when they have the same certificates, or none. */
export interface ConnectionPools {
  /** @throws Error when the certificates cannot be used. */
  for(tls: ConsumerTls | undefined): Pool;
  /** Drops every connection, in use or not. */
  destroy(): Promise<void>;
}

interface AgentPool extends Pool {
  readonly dispatcher: Agent;
}

export interface PoolOptions {
  readonly allow: EgressAllow;
  /** Made by `createGuardedLookup`. */
  readonly lookup: LookupFunction;
  /** Null: connections are direct. */
  readonly proxy: EgressProxy | null;
  /** A connection that is never idle is replaced after this time; the new one checks address and certificate again. */
  readonly connectionLifeMs: number;
}

export function createConnectionPools({
  allow,
  lookup,
  proxy,
  connectionLifeMs,
}: PoolOptions): ConnectionPools {
  const certificates = new LRUCache<string, CertificateFacts>({ max: MAX_CERTIFICATES });
  const open = (key: string, tls: ConsumerTls | undefined): AgentPool => {
    const dispatcher = new Agent({
      connect: createGuardedConnector({
        allow,
        lookup,
        proxy,
        secureContext: tls === undefined ? undefined : secureContextOf(tls),
        onHandshake: (origin, socket) => remember(certificates, `${key} ${origin}`, socket),
      }),
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: LONGEST_IDLE_MS,
      clientTtl: connectionLifeMs,
      maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
      // `send` has one timer for the whole exchange instead of one for each part.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { dispatcher, serverCertificate: (origin) => certificates.get(`${key} ${origin}`) ?? null };
  };
  const publicPool = open('', undefined);
  const pools = new LRUCache<string, AgentPool>({
    max: MAX_POOLS,
    ttl: UNUSED_FOR_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    // Looked up at each call, so that a test can replace the clock.
    perf: { now: () => performance.now() },
    // Graceful: exchanges in progress end normally.
    dispose: ({ dispatcher }) => {
      if (!dispatcher.destroyed) void dispatcher.close();
    },
  });

  return {
    for(tls) {
      if (tls?.caCertificate === undefined && tls?.clientCertificate === undefined) return publicPool;
      const key = fingerprint(tls);
      const known = pools.get(key);
      if (known !== undefined) return known;
      const opened = open(key, tls);
      pools.set(key, opened);
      return opened;
    },

    async destroy() {
      await Promise.all([publicPool, ...pools.values()].map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}

/** Keeps the certificate that a server has presented in its handshake. */
function remember(known: LRUCache<string, CertificateFacts>, key: string, socket: TLSSocket): void {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined || known.peek(key)?.fingerprint === certificate.fingerprint256) return;
  try {
    known.set(key, certificateFacts(certificate));
  } catch {
    // The certificate has no valid dates, so there is no expiry to watch.
    known.delete(key);
  }
}

function fingerprint({ caCertificate = '', clientCertificate = '' }: ConsumerTls): string {
  return createHash('sha256').update(`${caCertificate}\0${clientCertificate}`).digest('hex');
}
