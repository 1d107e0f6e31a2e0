import { BlockList } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { addressVerdict } from './address-verdict.js';
import { parseEgressAllow, isHostAllowed, type EgressAllow } from './egress-allow.js';

function allowing(...entries: string[]): EgressAllow {
  const parsed = parseEgressAllow(entries);
  if (!parsed.ok) throw new Error(parsed.faults.join());
  return parsed.allow;
}
const NOTHING = allowing();
const permits = (address: string, allow: EgressAllow = NOTHING) => addressVerdict(address, allow).permitted;

/**
 * Every network that the IANA special-purpose registries (RFC 6890, as updated) do not call globally reachable, and those
 * that carry an IPv4 address inside an IPv6 one.
 */
const NOT_REACHABLE = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32
  ::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 fc00::/7
  fe80::/10 fec0::/10 ff00::/8
`
  .trim()
  .split(/\s+/);

/** The verdict by Node's own address arithmetic: the networks above, and all IPv6 outside 2000::/3 (RFC 4291). */
function isReachable(address: string): boolean {
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const networks = (cidrs: readonly string[]): BlockList => {
    const list = new BlockList();
    for (const cidr of cidrs) {
      const [network = '', bits] = cidr.split('/');
      if (network.includes(':') === address.includes(':')) list.addSubnet(network, Number(bits), family);
    }
    return list;
  };
  const isUnicast = family === 'ipv4' || networks(['2000::/3']).check(address, family);
  return isUnicast && !networks(NOT_REACHABLE).check(address, family);
}

/** An address `steps` after another one. */
function after(address: string, steps: bigint): string {
  const [bytes, groups] = [ipaddr.parse(address).toByteArray(), address.includes(':') ? 16n : 4n];
  const value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) + steps;
  const wrapped = ((value % 256n ** groups) + 256n ** groups) % 256n ** groups;
  return ipaddr
    .fromByteArray(bytes.map((_byte, at) => Number((wrapped >> (8n * (groups - 1n - BigInt(at)))) & 255n)))
    .toString();
}

/** The first and the last address of each of these networks, and its neighbours. */
const EDGES = [...NOT_REACHABLE, '2000::/3'].flatMap((cidr) => {
  const [first = '', bits] = cidr.split('/');
  const size = 2n ** ((first.includes(':') ? 128n : 32n) - BigInt(bits ?? 0));
  return [-1n, 0n, 1n, size - 1n, size].map((steps) => after(first, steps));
});

describe('addressVerdict', () => {
  it.each(EDGES)('permits %s only when no registry lists its network, and else names the rule', (address) => {
    const verdict = addressVerdict(address, NOTHING);
    expect(verdict.permitted).toBe(isReachable(address));
    expect(verdict.permitted || /RFC \d+|metadata/.test(verdict.reason)).toBe(true);
  });

  it.each([
    '',
    'localhost',
    '127.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '8.8.8.8 ',
    '[::1]',
    'fe80::1%eth0',
  ])('refuses %p, which is not an IP address in canonical form', (text) => {
    expect(addressVerdict(text, allowing('0.0.0.0/0', '::/0')).permitted).toBe(false);
  });

  it('refuses every IPv6 address that carries an IPv4 address', () => {
    const wrappers: readonly ((v4: string, hex: string) => string)[] = [
      (v4) => `::${v4}`,
      (v4) => `::ffff:${v4}`,
      (v4) => `::ffff:0:${v4}`,
      (v4) => `64:ff9b::${v4}`,
      (v4) => `64:ff9b:1::${v4}`,
      (_, hex) => `2002:${hex}::1`,
      (_, hex) => `2001:0:${hex}::1`,
    ];
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom(...wrappers), (v4, wrap) => {
        const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        expect(permits(wrap(v4, hex))).toBe(false);
      }),
    );
  });

  it('permits an address exactly when no registry lists its network', () => {
    const near = fc
      .tuple(
        fc.constantFrom('2001:', '2002:', '3fff:', '64:ff9b:', '192.', '198.', '203.'),
        fc.ipV4(),
        fc.ipV6(),
      )
      .map(
        ([start, v4, v6]) =>
          start +
          (start.endsWith('.')
            ? v4.slice(v4.indexOf('.') + 1)
            : `${v6.replaceAll(/[^0-9a-f]/g, '').slice(0, 4)}::1`),
      );
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), near), (address) => {
        expect(permits(address)).toBe(isReachable(address));
      }),
      { numRuns: 20_000 },
    );
  });

  it('gives the same verdict for every spelling of an IPv6 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1);
        const spellings = [shortest, shortest.toUpperCase(), address.toUpperCase()];
        expect(new Set([address, ...spellings].map((spelling) => permits(spelling))).size).toBe(1);
      }),
    );
  });
});

describe('parseEgressAllow', () => {
  it('permits an allowed network, and no address next to it', () => {
    const allow = allowing('127.0.0.0/8', '::1/128', '10.1.2.3', 'fd00::/8');
    for (const address of ['127.0.0.1', '127.255.255.255', '::1', '10.1.2.3', 'fd12::1', '8.8.8.8']) {
      expect(permits(address, allow)).toBe(true);
    }
    for (const address of ['10.1.2.4', '::2', 'fc00::1', '169.254.169.254']) {
      expect(permits(address, allow)).toBe(false);
    }
  });

  it('does not permit an IPv4 network in its IPv4-mapped form', () => {
    expect(permits('::ffff:127.0.0.1', allowing('127.0.0.0/8', '0.0.0.0/0'))).toBe(false);
    expect(permits('127.0.0.1', allowing('::ffff:0:0/96', '::/0'))).toBe(false);
  });

  it('permits allowed host names in any letter case, and no part or extension of them', () => {
    const allow = allowing('Hooks.Internal', 'localhost.');
    for (const host of ['hooks.internal', 'HOOKS.INTERNAL', 'hooks.internal.', 'localhost']) {
      expect(isHostAllowed(host, allow)).toBe(true);
    }
    for (const host of ['internal', 'a.hooks.internal', 'hooks.internal.example', 'xhooks.internal']) {
      expect(isHostAllowed(host, allow)).toBe(false);
    }
  });

  it('reports every entry of EGRESS_ALLOW that is not a network, address or host name', () => {
    const bad = [
      '10.0.0.0/33',
      '10.0.0/8',
      '::/129',
      '1.2.3',
      '256.1.1.1',
      '*.example.com',
      'a b',
      '',
      'http://a',
      '1.2.3.4/',
      '10.0.0.0/08',
      'fe80::1%eth0',
      '0x7f.1',
      '10.0.0.0/8/8',
    ];
    const parsed = parseEgressAllow(['127.0.0.1', ...bad, 'example.com']);
    expect(parsed.ok ? [] : parsed.faults.map((fault) => /^"(.*)" is no/.exec(fault)?.[1])).toEqual(bad);
  });
});
