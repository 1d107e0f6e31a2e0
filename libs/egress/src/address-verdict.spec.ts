import { BlockList } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
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

/** The first, some inner and the last address of every special network. */
const BLOCKED = `
  0.0.0.0 0.1.2.3 0.255.255.255
  10.0.0.0 10.1.2.3 10.255.255.255
  100.64.0.0 100.100.100.200 100.127.255.255
  127.0.0.0 127.0.0.1 127.255.255.255
  168.63.129.16
  169.254.0.0 169.254.169.254 169.254.170.2 169.254.255.255
  172.16.0.0 172.20.0.1 172.31.255.255
  192.0.0.0 192.0.0.170 192.0.0.192 192.0.0.255
  192.0.2.0 192.0.2.255 192.88.99.0 192.88.99.255
  192.168.0.0 192.168.1.1 192.168.255.255
  198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255
  224.0.0.0 224.0.0.1 239.255.255.255 240.0.0.0 254.1.2.3 255.255.255.254 255.255.255.255
  :: ::1 ::2 ::8.8.8.8 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1
  64:ff9b:: 64:ff9b::8.8.8.8 64:ff9b::ffff:ffff 64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff
  100:: 100::ffff:ffff:ffff:ffff 200::1 1000::1 1fff:ffff::1
  2001:: 2001:0:ffff:: 2001:2::1 2001:10::1 2001:20::1 2001:1ff:ffff::1
  2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2002:: 2002:7f00:1:: 2002:ffff::1
  3fff:: 3fff:fff:ffff::1 4000:: 5f00::1 8000::1 fbff::1
  fc00:: fd00:ec2::254 fdff:ffff::1 fe00::1 fe80:: fe80::1 febf::1 fec0:: feff::1
  ff00:: ff02::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
`
  .trim()
  .split(/\s+/);

/** The neighbours of those networks, and some well-known endpoints. */
const PERMITTED = `
  1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0
  192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0
  203.0.112.255 203.0.114.0 223.255.255.255
  2000:: 2001:200:: 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9:: 2003:: 2606:4700:4700::1111
  2a00:1450:4001::1 3ffe:ffff::1 3fff:1000:: 3fff:ffff::1
`
  .trim()
  .split(/\s+/);

describe('addressVerdict', () => {
  it.each(BLOCKED)('refuses the special-purpose address %s', (address) => {
    expect(addressVerdict(address, NOTHING)).toEqual({
      permitted: false,
      reason: expect.stringMatching(/RFC \d+|metadata/),
    });
  });

  it.each(PERMITTED)('permits the public address %s', (address) => {
    expect(addressVerdict(address, NOTHING)).toEqual({ permitted: true });
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
    for (const address of [...BLOCKED, ...PERMITTED])
      expect([address, permits(address)]).toEqual([address, isReachable(address)]);
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
