import { AsyncLocalStorage } from 'node:async_hooks';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { TLSSocket, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { EgressAllow } from './egress-allow.js';
import { openTunnel, type EgressProxy } from './egress-proxy.js';
import { connectError } from './failure.js';
import { guardAddress } from './address-verdict.js';
import { acceptUnsolicitedContinue } from './unsolicited-continue.js';

/**
 * The timeout in milliseconds of the exchange that opens a connection. The client does not pass it to its connector, and
 * without it a stalled handshake would outlive its exchange.
 */
export const connectTimeout = new AsyncLocalStorage<number>();

/** The longest timeout of a consumer. */
const LONGEST_TIMEOUT_MS = 30_000;
/** After this time the host's next address is tried in parallel (RFC 8305). */
const NEXT_ADDRESS_AFTER_MS = 1_000;

export interface GuardedConnectorOptions {
  readonly allow: EgressAllow;
  /** Made by `createGuardedLookup`. */
  readonly lookup: LookupFunction;
  /** Absent: the public authorities and no client certificate. */
  readonly secureContext: SecureContext | undefined;
  /** Null: connections are direct. */
  readonly proxy: EgressProxy | null;
  /** Called after every TLS handshake. */
  readonly onHandshake: (origin: string, socket: TLSSocket) => void;
}

/**
 * Opens connections to permitted addresses only. Each connect checks the addresses that it uses, so that a host name
 * cannot resolve to another address after the check (DNS rebinding). Failures are reported as `connectError` returns
 * them. Through a proxy, TLS is end to end with the consumer, inside the tunnel.
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
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment has no effect.
      rejectUnauthorized: true,
      // A resumed session is not verified again: a certificate that has expired meanwhile would be accepted.
      maxCachedSessions: 0,
      ...(secureContext === undefined ? {} : { secureContext }),
    });
  // By whole seconds, so that there are few.
  const connectors = new Map<number, buildConnector.connector>();
  const connectorNow = (): buildConnector.connector => {
    const seconds = Math.ceil((connectTimeout.getStore() ?? LONGEST_TIMEOUT_MS) / 1_000);
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
    // An address in the URL is not looked up. The URL parser has already normalised `0x7f.1` and `2130706433`.
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
      acceptUnsolicitedContinue(socket);
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
 * With TLS 1.3 a server refuses a client certificate by an alert after the handshake. Destroying the connection with this
 * error reports the alert instead of the connection's end, which follows.
 */
function endWithAlert(this: TLSSocket, error: Error): void {
  if ('code' in error && String(error.code).startsWith('ERR_SSL_')) this.destroy(error);
}
