import { expect, it } from '@jest/globals';
import { createTokenCookie } from './token-cookie.js';

const cookie = createTokenCookie('ours');

it('over https only this host sets and reads the cookie', () => {
  const given = cookie.set('a.b.c', { isSecure: true, seconds: 60 });
  expect(given).toBe('__Host-ours=a.b.c; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure');
  expect(cookie.clear(true)).toBe('__Host-ours=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure');
  expect(cookie.tokenIn('x=y; __Host-ours=a.b.c', false)).toBe('a.b.c');
});

it('a cookie without the prefix is accepted on the machine itself only', () => {
  expect(cookie.set('a.b.c', { isSecure: false, seconds: 60 })).toMatch(/^ours=a\.b\.c; .*SameSite=Strict$/);
  expect(cookie.tokenIn('ours=a.b.c', true)).toBe('a.b.c');
  expect(cookie.tokenIn('ours=a.b.c', false)).toBeNull();
});

it.each([undefined, '', 'ours=', 'ours=a.b', 'yours=a.b.c', 'xours=a.b.c', 'ours=a.b.c.d', 'ours="a.b.c"'])(
  'in %j there is none',
  (header) => expect(cookie.tokenIn(header, true)).toBeNull(),
);
