/**
 * What a consumer's endpoint must not be: every network that the IANA special-purpose registries
 * (RFC 6890, as updated) do not call globally reachable, the ones that carry an IPv4 address inside an
 * IPv6 one (they would be a way around the IPv4 rules), and the addresses that clouds serve machine
 * credentials from. The first match names the reason.
 */
export const SPECIAL_NETWORKS: readonly (readonly [cidr: string, reason: string])[] = [
  ['0.0.0.0/8', 'this network (RFC 791)'],
  ['10.0.0.0/8', 'private (RFC 1918)'],
  ['100.64.0.0/10', 'carrier-grade NAT (RFC 6598)'],
  ['127.0.0.0/8', 'loopback (RFC 1122)'],
  ['169.254.169.254/32', 'cloud metadata'],
  ['169.254.0.0/16', 'link-local (RFC 3927)'],
  ['172.16.0.0/12', 'private (RFC 1918)'],
  ['168.63.129.16/32', 'cloud metadata (Azure)'],
  ['192.0.0.0/24', 'protocol assignments (RFC 6890)'],
  ['192.0.2.0/24', 'documentation (RFC 5737)'],
  ['192.88.99.0/24', '6to4 relay (RFC 7526)'],
  ['192.168.0.0/16', 'private (RFC 1918)'],
  ['198.18.0.0/15', 'benchmarking (RFC 2544)'],
  ['198.51.100.0/24', 'documentation (RFC 5737)'],
  ['203.0.113.0/24', 'documentation (RFC 5737)'],
  ['224.0.0.0/4', 'multicast (RFC 5771)'],
  ['255.255.255.255/32', 'broadcast (RFC 919)'],
  ['240.0.0.0/4', 'reserved (RFC 1112)'],

  ['::/128', 'unspecified (RFC 4291)'],
  ['::1/128', 'loopback (RFC 4291)'],
  ['::ffff:0:0/96', 'IPv4-mapped (RFC 4291)'],
  ['::/96', 'IPv4-compatible (RFC 4291)'],
  ['64:ff9b::/96', 'NAT64 (RFC 6052)'],
  ['64:ff9b:1::/48', 'local NAT64 (RFC 8215)'],
  ['100::/64', 'discard-only (RFC 6666)'],
  ['2001::/32', 'Teredo (RFC 4380)'],
  ['2001::/23', 'protocol assignments (RFC 2928)'],
  ['2001:db8::/32', 'documentation (RFC 3849)'],
  ['2002::/16', '6to4 (RFC 3056)'],
  ['3fff::/20', 'documentation (RFC 9637)'],
  ['fc00::/7', 'unique local (RFC 4193)'],
  ['fe80::/10', 'link-local (RFC 4291)'],
  ['fec0::/10', 'site-local (RFC 3879)'],
  ['ff00::/8', 'multicast (RFC 4291)'],
];

/** All of IPv6 that is global unicast today; whatever lies outside is refused, named above or not. */
export const GLOBAL_UNICAST_IPV6 = '2000::/3';
