import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isHostAllowed, type EgressAllow } from './egress-allow.js';
import { lookupError } from './failure.js';
import { guardAddress } from './address-verdict.js';

/** Shaped like `dns.lookup` with `all`. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A lookup for `net.connect` that returns permitted addresses only. One address that is not permitted refuses the whole
 * host, since it is undefined which address a connection tries.
 *
 * Concurrent requests for a host share one lookup: `dns.lookup` occupies one of libuv's few threads until the name server
 * answers, so an unresponsive name server blocks one thread, not all. Results are not cached: every connection
 * resolves the name again.
 */
export function createGuardedLookup(lookup: Lookup, allow: EgressAllow): LookupFunction {
  const waiting = new Map<string, Waiter[]>();

  const resolve = (hostname: string, waiter: Waiter): void => {
    const others = waiting.get(hostname);
    if (others !== undefined) {
      others.push(waiter);
      return;
    }
    const waiters = [waiter];
    waiting.set(hostname, waiters);
    lookup(hostname, { all: true }, (error, addresses) => {
      waiting.delete(hostname);
      const found = error === null ? permitted(hostname, addresses, allow) : lookupError(error);
      for (const notify of waiters) notify(found);
    });
  };

  return (hostname, options, callback) => {
    resolve(hostname, (found) => {
      if (found instanceof Error) callback(found, []);
      else if (options.all === true) callback(null, [...found]);
      else callback(null, found[0].address, found[0].family);
    });
  };
}

type Addresses = readonly [LookupAddress, ...LookupAddress[]];
type Waiter = (found: Addresses | Error) => void;

function permitted(
  hostname: string,
  addresses: readonly LookupAddress[],
  allow: EgressAllow,
): Addresses | Error {
  const [first, ...others] = addresses;
  if (first === undefined) return lookupError(Object.assign(new Error('no address'), { code: 'ENODATA' }));
  if (!isHostAllowed(hostname, allow)) {
    for (const { address } of addresses) {
      const refusal = guardAddress(address, allow);
      if (refusal !== null) return refusal;
    }
  }
  return [first, ...others];
}
