import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ownPath } from './own-path';

const ORIGIN = 'https://dispatcher.example';

describe('path to return to after signing in', () => {
  it.each(['/', '/deliveries', '/deliveries?state=held&offset=50#top', '/payments/ach/a%2Fb'])(
    'returns to the path %s after signing in',
    (path) => {
      expect(ownPath(path, ORIGIN)).toBe(path);
    },
  );

  it.each([
    null,
    '',
    'deliveries',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'javascript:alert(1)',
    '/sign-in?to=/sign-in',
  ])('returns to the overview instead of %j after signing in', (to) => {
    expect(ownPath(to, ORIGIN)).toBe('/');
  });

  it('never returns to a path of another host after signing in, for arbitrary input', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      ':',
      '\t',
      '\n',
      '@',
      'evil.example',
      '%2f',
      '?',
      '#',
      ' ',
      'http',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const path = ownPath(`/${parts.join('')}`, ORIGIN);
        expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
        expect(new URL(path, ORIGIN).pathname).not.toMatch(/^\/\//);
      }),
    );
  });
});
