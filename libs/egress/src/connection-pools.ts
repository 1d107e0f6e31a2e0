import { createHash } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { secureContextOf, type ConsumerTls } from './consumer-tls.js';
import type { EgressAllow } from './egress-allow.js';
import { createGuardedConnector } from './guarded-connector.js';

const MAX_RESPONSE_HEADER_BYTES = 16_384;
/** Idle connections are dropped before most servers drop theirs: a request must not meet a closing connection. */
const IDLE_MS = 4_000;
/** The longest idle time that a server's `Keep-Alive: timeout` can ask for. */
const LONGEST_IDLE_MS = 60_000;
/** Sets of own certificates kept ready; the least recently used goes first. */
const MAX_AGENTS = 500;

/** Connections kept alive, one pool an origin; consumers with certificates of their own share none. */
export interface ConnectionPools {
  /** @throws Error when the certificates cannot be read. */
  for(tls: ConsumerTls | undefined): Dispatcher;
  /** Drops every connection, in use or not. */
  destroy(): Promise<void>;
}

export function createConnectionPools(allow: EgressAllow, lookup: LookupFunction): ConnectionPools {
  const open = (tls: ConsumerTls | undefined): Agent =>
    new Agent({
      connect: createGuardedConnector({
        allow,
        lookup,
        secureContext: tls === undefined ? undefined : secureContextOf(tls),
      }),
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: LONGEST_IDLE_MS,
      maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
      // One clock for the whole exchange instead of one for each part; see `send`.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  const publicAgent = open(undefined);
  const agents = new Map<string, Agent>();

  return {
    for(tls) {
      if (tls?.caCertificate === undefined && tls?.clientCertificate === undefined) return publicAgent;
      const key = fingerprint(tls);
      const agent = agents.get(key) ?? open(tls);
      agents.delete(key);
      agents.set(key, agent);
      const [oldest] = agents;
      if (agents.size > MAX_AGENTS && oldest !== undefined) {
        agents.delete(oldest[0]);
        // Graceful: what is under way on it ends in its own time.
        void oldest[1].close();
      }
      return agent;
    },

    async destroy() {
      await Promise.all([publicAgent, ...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

function fingerprint({ caCertificate = '', clientCertificate = '' }: ConsumerTls): string {
  return createHash('sha256').update(`${caCertificate}\0${clientCertificate}`).digest('hex');
}
