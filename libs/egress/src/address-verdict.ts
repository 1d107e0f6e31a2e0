import type { EgressAllow } from './egress-allow.js';
import { addressFamily, parseNetwork, type Network } from './network.js';
import { GLOBAL_UNICAST_IPV6, SPECIAL_NETWORKS } from './special-networks.js';

export type AddressVerdict =
  | { readonly permitted: true }
  /** The kind of address, in words. */
  | { readonly permitted: false; readonly reason: string };

const SPECIAL = SPECIAL_NETWORKS.map(([cidr, reason]) => ({ network: networkOf(cidr), reason }));
const GLOBAL_UNICAST = networkOf(GLOBAL_UNICAST_IPV6);

/**
 * Whether the dispatcher may connect to an address: an allowed network, or else only global unicast,
 * so that a consumer's URL cannot reach into the operator's own networks (server-side request forgery).
 *
 * @param address IPv4 or IPv6 in textual form; anything else is refused.
 */
export function addressVerdict(address: string, allow: EgressAllow): AddressVerdict {
  const family = addressFamily(address);
  if (family === null) return { permitted: false, reason: 'no plain address' };
  if (allow.networks.some((network) => network.includes(address))) return { permitted: true };
  const special = SPECIAL.find(({ network }) => network.includes(address));
  if (special !== undefined) return { permitted: false, reason: special.reason };
  if (family === 'ipv6' && !GLOBAL_UNICAST.includes(address)) {
    return { permitted: false, reason: 'not global unicast (RFC 4291)' };
  }
  return { permitted: true };
}

function networkOf(cidr: string): Network {
  const network = parseNetwork(cidr);
  if (network === null) throw new Error(`${cidr} is no network`);
  return network;
}
