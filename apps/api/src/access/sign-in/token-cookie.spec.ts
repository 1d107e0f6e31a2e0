import { expect, it } from '@jest/globals';
import { createTokenCookie } from './token-cookie.js';

const cookie = createTokenCookie('sid');

it('only this host sets and reads a session cookie over HTTPS', () => {
  const given = cookie.set('a.b.c', { isSecure: true, seconds: 60 });
  expect(given).toBe('__Host-sid=a.b.c; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure');
  expect(cookie.clear(true)).toBe('__Host-sid=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure');
  expect(cookie.tokenIn('x=y; __Host-sid=a.b.c', false)).toBe('a.b.c');
});

it('a session cookie without the __Host- prefix is accepted on the same machine only', () => {
  expect(cookie.set('a.b.c', { isSecure: false, seconds: 60 })).toMatch(/^sid=a\.b\.c; .*SameSite=Strict$/);
  expect(cookie.tokenIn('sid=a.b.c', true)).toBe('a.b.c');
  expect(cookie.tokenIn('sid=a.b.c', false)).toBeNull();
});

it.each([undefined, '', 'sid=', 'sid=a.b', 'other=a.b.c', 'xsid=a.b.c', 'sid=a.b.c.d', 'sid="a.b.c"'])(
  'finds no session token in the cookie header %j',
  (header) => expect(cookie.tokenIn(header, true)).toBeNull(),
);
