import ipaddr from 'ipaddr.js';
import type { EgressAllow } from './egress-allow.js';
import { FailureError } from './failure.js';
import { isInNetwork, parseAddress, type Address } from './network.js';

export type AddressVerdict =
  | { readonly permitted: true }
  /** The kind of address, in words. */
  | { readonly permitted: false; readonly reason: string };

/** Ranges of ipaddr.js that the IANA special-purpose registries call globally reachable. */
const REACHABLE: ReadonlySet<string> = new Set(['unicast', 'amt', 'as112', 'as112v6']);

/** Clouds serve machine credentials from these addresses; the second is a public one. */
const METADATA: Readonly<Record<string, [Address, number]>> = {
  'cloud metadata': [ipaddr.parse('169.254.169.254'), 32],
  'cloud metadata (Azure)': [ipaddr.parse('168.63.129.16'), 32],
};

/** All of IPv6 that is global unicast today. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Refused as a whole, the few assignments in it that are globally reachable included. */
const PROTOCOL_ASSIGNMENTS = ipaddr.IPv6.parseCIDR('2001::/23');

/** The ranges of ipaddr.js in words. It calls all networks for documentation, tests and protocols `reserved`. */
const REASONS: Readonly<Record<'ipv4' | 'ipv6', Readonly<Record<string, string>>>> = {
  ipv4: {
    unspecified: 'this network (RFC 791)',
    private: 'private (RFC 1918)',
    carrierGradeNat: 'carrier-grade NAT (RFC 6598)',
    loopback: 'loopback (RFC 1122)',
    linkLocal: 'link-local (RFC 3927)',
    multicast: 'multicast (RFC 5771)',
    broadcast: 'broadcast (RFC 919)',
  },
  ipv6: {
    unspecified: 'unspecified (RFC 4291)',
    loopback: 'loopback (RFC 4291)',
    linkLocal: 'link-local (RFC 4291)',
    multicast: 'multicast (RFC 4291)',
    uniqueLocal: 'unique local (RFC 4193)',
    ipv4Mapped: 'IPv4-mapped (RFC 4291)',
    rfc6052: 'NAT64 (RFC 6052)',
    teredo: 'Teredo (RFC 4380)',
    '6to4': '6to4 (RFC 3056)',
    unicast: 'not global unicast (RFC 4291)',
  },
};

/**
 * Whether the dispatcher may connect to an address: an allowed network, or else only global unicast,
 * so that a consumer's URL cannot reach into the operator's own networks (server-side request forgery).
 * IPv6 addresses that carry an IPv4 one are refused: they would bypass the IPv4 rules.
 *
 * @param text IPv4 or IPv6; any other text is refused.
 */
export function addressVerdict(text: string, allow: EgressAllow): AddressVerdict {
  const address = parseAddress(text);
  if (address === null) return { permitted: false, reason: 'not an IP address' };
  if (allow.networks.some((network) => isInNetwork(address, network))) return { permitted: true };
  const reason = refusalOf(address);
  return reason === null ? { permitted: true } : { permitted: false, reason };
}

function refusalOf(address: Address): string | null {
  const range = address.range();
  const metadata = ipaddr.subnetMatch(address, METADATA, '');
  if (metadata !== '') return metadata;
  const isReachable =
    REACHABLE.has(range) &&
    (address.kind() === 'ipv4' || (address.match(GLOBAL_UNICAST) && !address.match(PROTOCOL_ASSIGNMENTS)));
  return isReachable ? null : (REASONS[address.kind()][range] ?? 'reserved (RFC 6890)');
}

/** The error to connect with instead of an address that is not permitted; null when it is. */
export function guardAddress(address: string, allow: EgressAllow): FailureError | null {
  const verdict = addressVerdict(address, allow);
  if (verdict.permitted) return null;
  return new FailureError({
    outcome: 'blocked_address',
    detail: `${address} is not permitted: ${verdict.reason}`,
  });
}
