import { isIPv6 } from 'node:net';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Whose limit an address counts against. A rented machine has a whole IPv6 /64 and may use a new address for each request:
 * these count as one. An IPv4 address counts alone, also when it is written as IPv6.
 */
export function addressGroup(address: string): string {
  const ipv4 = MAPPED_IPV4.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(address)) return address;
  // The standard's URL writes an address in its one short form, with hexadecimal numbers only.
  const [plain = ''] = address.split('%');
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const parts = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return `${parts.slice(0, 4).join(':')}::/64`;
}
