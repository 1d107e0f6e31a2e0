import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createCredentials } from './credentials.js';
import { echoEraser } from './erase-echo.js';

const SIGNATURE = 'f3b1a5'.repeat(10);
const sentWith = (signingSecret: string, password: string) => ({
  credentials: createCredentials({ signingSecret, username: 'bank', password }),
  headers: {
    Authorization: `Basic ${Buffer.from(`bank:${password}`).toString('base64')}`,
    'X-Signature': SIGNATURE,
    'content-type': 'application/json',
  },
});

describe('echoEraser', () => {
  const secret = fc.string({ unit: 'grapheme', minLength: 6, maxLength: 40 });

  it('erases the secrets of a request from its answer in every escaped form', () => {
    fc.assert(
      fc.property(secret, secret, fc.string(), (signingSecret, password, around) => {
        const { credentials, headers } = sentWith(signingSecret, password);
        const erase = echoEraser(credentials, headers);
        const { Authorization: authorization } = headers;
        const given = [signingSecret, password, authorization, SIGNATURE];
        for (const text of [
          given.join(around),
          JSON.stringify({ around, headers, given }),
          JSON.stringify(JSON.stringify(headers)),
          given.map((value) => encodeURIComponent(value)).join('&'),
        ]) {
          const erased = erase(text);
          expect(erased).not.toContain(authorization.slice('Basic '.length));
          expect(erased).not.toContain(SIGNATURE);
          // The password may be part of the replacement or of the surrounding text.
          const mayStay = `[redacted]${around}`.includes(password);
          expect(mayStay || !erased.includes(password)).toBe(true);
        }
      }),
    );
  });

  it('erases the beginning of a secret at the end of a truncated answer', () => {
    const { credentials, headers } = sentWith('whsec_of_the_test', 'a long password');
    const erase = echoEraser(credentials, headers);
    const answer = `you sent ${headers.Authorization}`;
    for (let length = 'you sent Basic '.length + 4; length <= answer.length; length += 1) {
      expect(erase(answer.slice(0, length), true)).toBe('you sent Basic [redacted]');
    }
    expect(erase('you sent whse', true)).toBe('you sent [redacted]');
    expect(erase('you sent whse', false)).toBe('you sent whse');
    expect(erase('you sent nothing', true)).toBe('you sent nothing');
  });

  it('does not erase secrets shorter than 6 characters from an answer', () => {
    const { credentials, headers } = sentWith('whsec_of_the_test', 'ok');
    expect(echoEraser(credentials, headers)('all is ok')).toBe('all is ok');
  });
});
