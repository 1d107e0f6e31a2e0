import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  notificationHeaders,
  signNotification,
  stringToSign,
  verifyBasic,
  verifyNotification,
} from './index.js';
import { timestampAt } from './notification-headers.js';

const VECTOR = {
  secret: 'whsec_test_0123456789',
  url: 'https://consumer.example/ach-payments-api/v1/hook',
  body: '{"a":1}',
  timestamp: '1700000000',
  signature: '6964a30a8ba691eb862b88dcaf7c2a711898b436a662c3e2e1cfbef65bdb2dcd',
};
const AT_MS = 1_700_000_000_000;

const received = (change: Partial<Parameters<typeof verifyNotification>[0]> = {}) =>
  verifyNotification({
    secret: VECTOR.secret,
    url: VECTOR.url,
    rawBody: VECTOR.body,
    timestamp: VECTOR.timestamp,
    signature: VECTOR.signature,
    unit: 'seconds',
    nowMs: AT_MS,
    ...change,
  });

describe('signNotification', () => {
  it('computes the signature of the published test vector', () => {
    expect(stringToSign(VECTOR)).toBe(
      'POSThttps://consumer.example/ach-payments-api/v1/hook{"a":1}1700000000',
    );
    expect(signNotification(VECTOR.secret, VECTOR)).toBe(VECTOR.signature);
  });

  it('signs the UTF-8 bytes of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (secret, body) => {
        const signature = signNotification(secret, { url: VECTOR.url, body, timestamp: '1' });
        expect(signature).toMatch(/^[0-9a-f]{64}$/);
        const check = received({
          secret,
          rawBody: Buffer.from(body),
          timestamp: '1',
          signature,
          nowMs: 1_000,
        });
        expect(check).toEqual({ ok: true });
      }),
    );
  });
});

describe('notificationHeaders', () => {
  const headers = (unit: 'seconds' | 'milliseconds', atMs: number) =>
    notificationHeaders({ ...VECTOR, username: 'bank', password: 'pä:ss', atMs, unit, userAgent: 'test/1' });

  it('returns the headers of a notification from the specification', () => {
    expect(headers('seconds', AT_MS + 999)).toEqual({
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('bank:pä:ss', 'utf8').toString('base64')}`,
      'x-timestamp': VECTOR.timestamp,
      'x-signature': VECTOR.signature,
      'user-agent': 'test/1',
    });
  });

  it('signs every attempt with its own timestamp', () => {
    expect(headers('seconds', AT_MS + 1_000)['x-signature']).not.toBe(VECTOR.signature);
  });

  it.each(['seconds', 'milliseconds'] as const)(
    'returns headers that verifyNotification accepts, in %s',
    (unit) => {
      const sent = headers(unit, AT_MS + 1);
      expect(
        received({ unit, nowMs: AT_MS + 1, timestamp: sent['x-timestamp'], signature: sent['x-signature'] }),
      ).toEqual({ ok: true });
    },
  );
});

describe('verifyNotification', () => {
  it('accepts a timestamp of at most 300 s before or after, or of the given tolerance', () => {
    const age = fc.oneof(
      fc.constantFrom(300_000, 300_001, -300_000, -300_001, 10_000, 10_001),
      fc.integer({ min: -400_000, max: 400_000 }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('seconds', 'milliseconds'),
        age,
        fc.constantFrom(undefined, 10),
        (unit, ageMs, given) => {
          const timestamp = timestampAt(AT_MS, unit);
          const signature = signNotification(VECTOR.secret, { ...VECTOR, timestamp });
          const tolerance = given === undefined ? {} : { toleranceSeconds: given };
          const check = received({ unit, timestamp, signature, nowMs: AT_MS + ageMs, ...tolerance });
          const fault = ageMs > 0 ? 'timestamp_too_old' : 'timestamp_ahead';
          const isRecent = Math.abs(ageMs) <= (given ?? 300) * 1_000;
          expect(check).toEqual(isRecent ? { ok: true } : { ok: false, fault });
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    [{ timestamp: undefined }, 'timestamp_missing'],
    [{ timestamp: '17e8' }, 'timestamp_malformed'],
    [{ timestamp: '-1' }, 'timestamp_malformed'],
    [{ signature: undefined }, 'signature_missing'],
    [{ signature: VECTOR.signature.toUpperCase() }, 'signature_malformed'],
    [{ signature: VECTOR.signature.slice(1) }, 'signature_malformed'],
    [{ secret: 'other' }, 'signature_wrong'],
    [{ url: `${VECTOR.url}/` }, 'signature_wrong'],
    [{ rawBody: '{"a": 1}' }, 'signature_wrong'],
    [{ timestamp: '1700000001' }, 'signature_wrong'],
  ])('refuses a notification with %j as %s', (change, fault) => {
    expect(received(change)).toEqual({ ok: false, fault });
  });

  it.each([VECTOR.body, Buffer.from(VECTOR.body), new Uint8Array(Buffer.from(VECTOR.body))])(
    'accepts the body of a notification as text or as bytes (case %#)',
    (rawBody) => {
      expect(received({ rawBody })).toEqual({ ok: true });
    },
  );

  it.each(['1700000000 ', ' 1700000000', '+1700000000', '1700000000.0', '١٧٠٠٠٠٠٠٠٠', '1'.repeat(17)])(
    'refuses a timestamp with other characters than digits: %j',
    (timestamp) => {
      const signature = signNotification(VECTOR.secret, { ...VECTOR, timestamp });
      expect(received({ timestamp, signature })).toEqual({ ok: false, fault: 'timestamp_malformed' });
    },
  );

  /** A text with one changed byte; only 7 bits change, so that the text keeps its length. */
  const withChangedByte = (text: string, at: number, flip: number): string => {
    const bytes = Buffer.from(text);
    bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ flip;
    return bytes.toString('latin1');
  };

  it('refuses a notification with any changed byte in any signed part', () => {
    const position = fc.nat(1_000);
    const flip = fc.integer({ min: 1, max: 127 });
    fc.assert(
      fc.property(fc.constantFrom('secret', 'url', 'body'), position, flip, (part, at, bits) => {
        const changed = withChangedByte(VECTOR[part], at, bits);
        const change = part === 'body' ? { rawBody: changed } : { [part]: changed };
        expect(received(change)).toEqual({ ok: false, fault: 'signature_wrong' });
      }),
    );
    fc.assert(
      fc.property(position, flip, (at, bits) => {
        expect(received({ timestamp: withChangedByte(VECTOR.timestamp, at, bits) }).ok).toBe(false);
        expect(received({ signature: withChangedByte(VECTOR.signature, at, bits) }).ok).toBe(false);
      }),
    );
  });

  it('accepts each timestamp only in its own unit', () => {
    const moment = fc.integer({ min: 0, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(fc.constantFrom('seconds', 'milliseconds'), moment, moment, (unit, one, other) => {
        const [first, second] = [timestampAt(one, unit), timestampAt(other, unit)];
        const sign = (timestamp: string): string => signNotification(VECTOR.secret, { ...VECTOR, timestamp });
        expect(sign(first) === sign(second)).toBe(first === second);
      }),
    );
  });
});

describe('verifyBasic', () => {
  it('accepts only the exact Basic credentials', () => {
    const header = `Basic ${Buffer.from('bank:pä:ss').toString('base64')}`;
    expect(verifyBasic(header, 'bank', 'pä:ss')).toBe(true);
    expect(verifyBasic(header, 'bank', 'pa:ss')).toBe(false);
    expect(verifyBasic(header.toLowerCase(), 'bank', 'pä:ss')).toBe(false);
    expect(verifyBasic(undefined, 'bank', 'pä:ss')).toBe(false);
  });
});
