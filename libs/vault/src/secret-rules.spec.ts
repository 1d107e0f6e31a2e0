import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkPassword, checkUsername } from './check-basic-credentials.js';
import { generateSigningSecret } from './generate-signing-secret.js';
import { redactHeaders } from './keepable-exchange.js';

describe('generateSigningSecret', () => {
  it('generates signing secrets of whsec_ and 256 random bits in base64url', () => {
    const secrets = Array.from({ length: 100 }, generateSigningSecret);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
    expect(new Set(secrets).size).toBe(100);
  });
});

describe('Basic credentials', () => {
  it('accepts any text but control characters, lone surrogates, and a colon in the user name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0);
        const fault = Array.from(text).some((one) => isControl(one.codePointAt(0) ?? 0))
          ? 'must not contain control characters'
          : text.isWellFormed()
            ? null
            : 'must be well-formed Unicode';
        expect(checkPassword(text)).toBe(fault);
        expect(checkUsername(text)).toBe(text.includes(':') ? 'must not contain ":"' : fault);
      }),
      { examples: [['a:b'], ['a\nb'], ['\u0000'], ['\u0085'], ['a\ud800'], ['\udc00'], ['Jürgen 💶'], ['']] },
    );
  });
});

describe('redactHeaders', () => {
  it('redacts secret headers with names in any case and keeps the others', () => {
    const signature = '6964a30a8ba691eb862b88dcaf7c2a711898b436a662c3e2e1cfbef65bdb2dcd';
    expect(
      redactHeaders({
        'Content-Type': 'application/json',
        AUTHORIZATION: 'Basic dXNlcjpwYXNz',
        'x-timestamp': '1700000000',
        'X-Signature': signature,
        Cookie: 'sid=1',
      }),
    ).toEqual({
      'Content-Type': 'application/json',
      AUTHORIZATION: 'Basic [redacted]',
      'x-timestamp': '1700000000',
      'X-Signature': '6964a30a… [redacted]',
      Cookie: '[redacted]',
    });
    expect(redactHeaders({ authorization: 'Bearer abc' })).toEqual({ authorization: '[redacted]' });
  });
});
