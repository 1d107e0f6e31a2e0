import { isIPv6 } from 'node:net';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns the group of addresses that share one limit. An IPv6 /64 is one group: a rented machine has a whole /64 and
 * could use a new address for each request. An IPv4 address, also in IPv4-mapped IPv6 form, is a group alone.
 */
export function addressGroup(address: string): string {
  const ipv4 = MAPPED_IPV4.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(address)) return address;
  // `URL` normalizes an IPv6 address to its shortest form, with hexadecimal groups only.
  const [plain = ''] = address.split('%');
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const parts = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return `${parts.slice(0, 4).join(':')}::/64`;
}
