import { AsyncLocalStorage } from 'node:async_hooks';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { TLSSocket, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { EgressAllow } from './egress-allow.js';
import { openTunnel, type EgressProxy } from './egress-proxy.js';
import { connectError } from './failure.js';
import { guardAddress } from './address-verdict.js';
import { admitUnaskedContinue } from './unasked-continue.js';

/**
 * The timeout of the exchange, in milliseconds, for which a connection is opened. The client hands no such thing on to its
 * connector; without it a handshake that stalls would stay open long after its exchange has given up.
 */
export const dialling = new AsyncLocalStorage<number>();

/** The longest timeout of a consumer. */
const LONGEST_TIMEOUT_MS = 30_000;
/** How long an address may take before the next of the same host is tried beside it (RFC 8305). */
const NEXT_ADDRESS_AFTER_MS = 1_000;

export interface GuardedConnectorOptions {
  readonly allow: EgressAllow;
  /** Made by `createGuardedLookup`. */
  readonly lookup: LookupFunction;
  /** Absent: the public authorities and no client certificate. */
  readonly secureContext: SecureContext | undefined;
  /** Null: connections are direct. */
  readonly proxy: EgressProxy | null;
  /** Hears of every TLS handshake that is done. */
  readonly onHandshake: (origin: string, socket: TLSSocket) => void;
}

/**
 * Opens connections to permitted addresses only. The check is made on the very addresses that are connected to,
 * at every connect: a host name that resolves to something else a moment later gains nothing (DNS rebinding).
 * It reports what `connectError` makes of a failure. Through a proxy TLS is spoken inside the tunnel, with the consumer.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const { allow, lookup, secureContext, proxy, onHandshake } = options;
  const connectWithin = (timeout: number): buildConnector.connector =>
    buildConnector({
      lookup,
      allowH2: false,
      timeout,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
      minVersion: 'TLSv1.2',
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment does not open the door.
      rejectUnauthorized: true,
      // A resumed session brings its verdict along: a certificate that has expired meanwhile would pass for as long as
      // there is traffic.
      maxCachedSessions: 0,
      ...(secureContext === undefined ? {} : { secureContext }),
    });
  // By whole seconds, of which there are few.
  const connectors = new Map<number, buildConnector.connector>();
  const connectorNow = (): buildConnector.connector => {
    const seconds = Math.ceil((dialling.getStore() ?? LONGEST_TIMEOUT_MS) / 1_000);
    const connect = connectors.get(seconds) ?? connectWithin(seconds * 1_000);
    connectors.set(seconds, connect);
    return connect;
  };

  const connectThrough = async (
    through: EgressProxy,
    target: buildConnector.Options,
    report: buildConnector.Callback,
  ): Promise<void> => {
    let socket: Socket;
    try {
      socket = await openTunnel(through, target, lookup);
    } catch (error) {
      report(error instanceof Error ? error : new Error('no tunnel', { cause: error }), null);
      return;
    }
    if (target.protocol === 'https:') connectorNow()({ ...target, httpSocket: socket }, report);
    else report(null, socket);
  };

  return (target, callback) => {
    // An address in the URL is not looked up. The URL parser has made `0x7f.1` and `2130706433` plain already.
    const refusal = isIP(target.hostname) === 0 ? null : guardAddress(target.hostname, allow);
    if (refusal !== null) {
      process.nextTick(callback, refusal, null);
      return;
    }
    const report: buildConnector.Callback = (error, socket) => {
      if (error !== null) {
        callback(connectError(error, target.protocol), null);
        return;
      }
      admitUnaskedContinue(socket);
      if (socket instanceof TLSSocket) {
        onHandshake(`${target.protocol}//${target.host ?? ''}`, socket);
        socket.once('error', endWithAlert);
      }
      callback(null, socket);
    };
    if (proxy === null) connectorNow()(target, report);
    else void connectThrough(proxy, target, report);
  };
}

/**
 * With TLS 1.3 a server refuses a client certificate by an alert after the handshake. The client would forget it over
 * the end of the connection, which follows, unless the connection ends with it.
 */
function endWithAlert(this: TLSSocket, error: Error): void {
  if ('code' in error && String(error.code).startsWith('ERR_SSL_')) this.destroy(error);
}
