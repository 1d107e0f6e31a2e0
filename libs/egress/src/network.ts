import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** A set of addresses of one family; an IPv4-mapped IPv6 address belongs to none of IPv4's. */
export interface Network {
  includes(address: string): boolean;
}

const PREFIX = /^(?:0|[1-9]\d{0,2})$/;

/**
 * Reads `address/prefix`, or a single address.
 *
 * @returns null when it is neither.
 */
export function parseNetwork(text: string): Network | null {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = addressFamily(address);
  if (family === null || rest.length > 0) return null;
  const longest = family === 'ipv4' ? 32 : 128;
  if (prefix !== undefined && (!PREFIX.test(prefix) || Number(prefix) > longest)) return null;

  const addresses = new BlockList();
  addresses.addSubnet(address, prefix === undefined ? longest : Number(prefix), family);
  return {
    // BlockList looks into IPv4-mapped addresses; here the families stay apart.
    includes: (candidate) => addressFamily(candidate) === family && addresses.check(candidate, family),
  };
}

/** The family of an address in textual form; null for a host name, an odd spelling or one with a zone. */
export function addressFamily(address: string): 'ipv4' | 'ipv6' | null {
  if (isIP(address) === 0 || address.includes('%')) return null;
  if (isIPv4(address)) return 'ipv4';
  return isIPv6(address) ? 'ipv6' : null;
}
