import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** An address and the length of the prefix that its network shares. */
export type Network = [address: Address, prefixLength: number];

const NETWORK = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/;

/** An address in its textual form; null for a host name, an address with a zone, or another spelling (`0x7f.1`). */
export const parseAddress = (text: string): Address | null =>
  isIP(text) === 0 || text.includes('%') ? null : ipaddr.parse(text);

/** `address/prefix`, or a single address; null for any other text. */
export function parseNetwork(text: string): Network | null {
  const [, address = '', prefix] = NETWORK.exec(text) ?? [];
  const parsed = parseAddress(address);
  if (parsed === null) return null;
  const longest = parsed.kind() === 'ipv4' ? 32 : 128;
  const prefixLength = Number(prefix ?? longest);
  return prefixLength <= longest ? [parsed, prefixLength] : null;
}

/** An IPv4-mapped IPv6 address is in no IPv4 network. */
export const isInNetwork = (address: Address, network: Network): boolean =>
  address.kind() === network[0].kind() && address.match(network);
