import { createHash } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import type { CertificateFacts } from '#libs/contracts';
import { Agent, type Dispatcher } from 'undici';
import { secureContextOf, type ConsumerTls } from './consumer-tls.js';
import type { EgressAllow } from './egress-allow.js';
import type { EgressProxy } from './egress-proxy.js';
import { createGuardedConnector } from './guarded-connector.js';
import { ServerCertificates } from './server-certificates.js';

const MAX_RESPONSE_HEADER_BYTES = 16_384;
/** Idle connections are dropped before most servers drop theirs: a request must not meet a closing connection. */
const IDLE_MS = 4_000;
/** The longest idle time that a server's `Keep-Alive: timeout` can ask for. */
const LONGEST_IDLE_MS = 60_000;
/** Sets of own certificates kept ready; the least recently used goes first. */
const MAX_POOLS = 500;
/** A set that nobody has asked for so long is a former version's, and its private key has no place in memory. */
const FORGOTTEN_AFTER_MS = 60_000;

/** The connections of one TLS identity, one pool an origin. */
export interface Pool {
  readonly dispatcher: Dispatcher;
  /** What the server of an origin presented last; null before its first handshake. */
  serverCertificate(origin: string): CertificateFacts | null;
}

/** Connections kept alive; who has certificates of its own shares none with anybody who has others, or has none. */
export interface ConnectionPools {
  /** @throws Error when the certificates cannot be used. */
  for(tls: ConsumerTls | undefined): Pool;
  /** Drops every connection, in use or not. */
  destroy(): Promise<void>;
}

interface OwnPool extends Pool {
  readonly dispatcher: Agent;
  usedAtMs: number;
}

export interface PoolOptions {
  readonly allow: EgressAllow;
  /** Made by `createGuardedLookup`. */
  readonly lookup: LookupFunction;
  /** Null: connections are direct. */
  readonly proxy: EgressProxy | null;
  /** A connection that is never idle is replaced after so long, by one whose address and certificate are checked anew. */
  readonly connectionLifeMs: number;
}

export function createConnectionPools({
  allow,
  lookup,
  proxy,
  connectionLifeMs,
}: PoolOptions): ConnectionPools {
  const open = (tls: ConsumerTls | undefined): OwnPool => {
    const seen = new ServerCertificates();
    const dispatcher = new Agent({
      connect: createGuardedConnector({
        allow,
        lookup,
        proxy,
        secureContext: tls === undefined ? undefined : secureContextOf(tls),
        onHandshake: (origin, socket) => seen.note(origin, socket),
      }),
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: LONGEST_IDLE_MS,
      clientTtl: connectionLifeMs,
      maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
      // One clock for the whole exchange instead of one for each part; see `send`.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { dispatcher, usedAtMs: performance.now(), serverCertificate: (origin) => seen.of(origin) };
  };
  const publicPool = open(undefined);
  // Re-inserted on use, so that the least recently used comes first.
  const pools = new Map<string, OwnPool>();

  const closeForgotten = (nowMs: number): void => {
    for (const [key, pool] of pools) {
      if (pools.size <= MAX_POOLS && nowMs - pool.usedAtMs < FORGOTTEN_AFTER_MS) return;
      pools.delete(key);
      // Graceful: what is under way on it ends in its own time.
      void pool.dispatcher.close();
    }
  };

  return {
    for(tls) {
      const nowMs = performance.now();
      closeForgotten(nowMs);
      if (tls?.caCertificate === undefined && tls?.clientCertificate === undefined) return publicPool;
      const key = fingerprint(tls);
      const pool = pools.get(key) ?? open(tls);
      pool.usedAtMs = nowMs;
      pools.delete(key);
      pools.set(key, pool);
      return pool;
    },

    async destroy() {
      await Promise.all([publicPool, ...pools.values()].map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}

function fingerprint({ caCertificate = '', clientCertificate = '' }: ConsumerTls): string {
  return createHash('sha256').update(`${caCertificate}\0${clientCertificate}`).digest('hex');
}
