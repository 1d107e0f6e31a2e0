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
 * A lookup for `net.connect` that hands out permitted addresses only, and those are what is connected to.
 * One address that is not permitted refuses the host as a whole: which of them a connection would try is chance.
 *
 * Those who ask for the same host at the same time share one lookup. `dns.lookup` occupies one of libuv's few
 * threads until the name server answers: so a host whose name server is silent holds one of them, not all.
 * Nothing is kept afterwards: every connection sees the name as it is then.
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
      for (const tell of waiters) tell(found);
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
