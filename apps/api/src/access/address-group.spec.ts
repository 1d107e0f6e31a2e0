import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressGroup } from './address-group.js';

const part = fc.integer({ min: 0, max: 0xffff });
/** Zeros are common in addresses, and `::` abbreviates them. */
const half = fc.array(fc.oneof(part, fc.constant(0)), { minLength: 4, maxLength: 4 });

/** The same address, as different programs write it. */
const spelling = fc.constantFrom<(parts: readonly number[]) => string>(
  (parts) => parts.map((one) => one.toString(16)).join(':'),
  (parts) => parts.map((one) => one.toString(16).padStart(4, '0').toUpperCase()).join(':'),
  (parts) => new URL(`http://[${parts.map((one) => one.toString(16)).join(':')}]`).hostname.slice(1, -1),
  (parts) =>
    `${parts
      .slice(0, 6)
      .map((one) => one.toString(16))
      .join(':')}:${parts
      .slice(6)
      .flatMap((one) => [one >> 8, one & 0xff])
      .join('.')}`,
);

/** `::ffff:0:0/96` is IPv4. */
const isMapped = (parts: readonly number[]): boolean =>
  parts.slice(0, 5).every((one) => one === 0) && parts[5] === 0xffff;

describe('addressGroup', () => {
  it('groups the IPv6 addresses of one /64 network, and no others, in any notation', () => {
    fc.assert(
      fc.property(
        half,
        half,
        half,
        half,
        spelling,
        spelling,
        (net, otherNet, host, otherHost, one, other) => {
          fc.pre(!isMapped([...net, ...host]) && !isMapped([...net, ...otherHost]));
          expect(addressGroup(one([...net, ...host]))).toBe(addressGroup(other([...net, ...otherHost])));
          fc.pre(!isMapped([...otherNet, ...otherHost]) && net.join() !== otherNet.join());
          expect(addressGroup(one([...net, ...host]))).not.toBe(
            addressGroup(other([...otherNet, ...otherHost])),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('distinguishes IPv6 networks that differ in their last bit', () => {
    expect(addressGroup('2001:db8:0:1:ffff:ffff:ffff:ffff')).toBe('2001:db8:0:1::/64');
    expect(addressGroup('2001:db8:0:1::')).toBe('2001:db8:0:1::/64');
    expect(addressGroup('2001:db8::')).toBe('2001:db8:0:0::/64');
  });

  it('groups an IPv4 address alone, also in IPv6 notation', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), (one, other) => {
        expect(addressGroup(one)).toBe(one);
        expect(addressGroup(`::ffff:${one}`)).toBe(one);
        fc.pre(one !== other);
        expect(addressGroup(`::FFFF:${one}`)).not.toBe(addressGroup(other));
      }),
    );
  });

  it('ignores the zone of an IPv6 address', () => {
    expect(addressGroup('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  });

  it('returns a text that is not an IP address unchanged, since a proxy may send any text', () => {
    fc.assert(fc.property(fc.string(), (text) => void addressGroup(text)));
    expect(addressGroup('unknown')).toBe('unknown');
  });
});
