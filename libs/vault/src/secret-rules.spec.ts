import { describe, expect, it } from '@jest/globals';
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
  it.each(['bank', 'Jürgen', '', 'a b', '日本', '💶'])(
    'accepts %p as Basic user name and password',
    (text) => {
      expect(checkUsername(text)).toBeNull();
      expect(checkPassword(text)).toBeNull();
    },
  );

  it.each(['a\nb', '\u0000', '\u007f', '\u0085', '\t'])(
    'refuses control characters in Basic credentials: %j',
    (text) => {
      expect(checkUsername(text)).toBe('must not contain control characters');
      expect(checkPassword(text)).toBe('must not contain control characters');
    },
  );

  it('refuses lone surrogates in Basic credentials', () => {
    expect(checkUsername('a\ud800')).toBe('must be well-formed Unicode');
    expect(checkPassword('\udc00')).toBe('must be well-formed Unicode');
  });

  it('accepts a colon in the Basic password only', () => {
    expect(checkUsername('a:b')).toBe('must not contain ":"');
    expect(checkPassword('a:b')).toBeNull();
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
