import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { everyEncoding } from '#test/support/every-encoding';

describe('everyEncoding', () => {
  const secrets = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 });
  const around = fc.string({ unit: 'binary-ascii', maxLength: 9 });
  const isFound = (secret: string | Buffer, text: string): boolean =>
    everyEncoding(secret).some((form) => text.includes(form));

  it.each<[string, (text: string) => string]>([
    ['plain text', (text) => text],
    ['JSON', (text) => JSON.stringify({ text })],
    ['part of a URL', (text) => encodeURIComponent(text)],
    ['hex', (text) => Buffer.from(text).toString('hex')],
    ['base64', (text) => Buffer.from(text).toString('base64')],
    ['base64url', (text) => Buffer.from(text).toString('base64url')],
    [
      'base64 in JSON with escaped slashes',
      (text) => Buffer.from(text).toString('base64').replaceAll('/', '\\/'),
    ],
  ])('everyEncoding finds a secret as %s inside any other text', (_, encode) => {
    fc.assert(
      fc.property(secrets, around, around, (secret, before, after) => {
        expect(isFound(secret, encode(`${before}${secret}${after}`))).toBe(true);
      }),
    );
  });

  it('everyEncoding finds binary secrets inside longer base64', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 12 }), fc.uint8Array({ maxLength: 4 }), (bytes, before) => {
        const text = Buffer.concat([before, bytes]).toString('base64');
        expect(isFound(Buffer.from(bytes), text)).toBe(true);
      }),
    );
  });

  it('everyEncoding does not match a different secret', () => {
    expect(isFound('whsec_a_secret', JSON.stringify({ text: 'whsec_another_secret' }))).toBe(false);
  });
});
