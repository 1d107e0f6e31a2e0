import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseKeyring } from './keyring.js';

const base64 = (byte: number) => Buffer.alloc(32, byte).toString('base64');

describe('parseKeyring', () => {
  it('parses a keyring with the first key as the newest, and each key by its id', () => {
    const parsed = parseKeyring(`new:${base64(2)}, old_1-a:${base64(1)}`);
    if (!parsed.ok) throw new Error(parsed.faults.join());
    expect(parsed.keyring.newest.kid).toBe('new');
    expect([...parsed.keyring.keys.keys()]).toEqual(['new', 'old_1-a']);
    expect(parsed.keyring.keys.get('old_1-a')?.bytes).toEqual(Buffer.alloc(32, 1));
  });

  it.each([
    ['no key', '', ['key 1 needs an id']],
    ['a key without an id', base64(1), ['key 1 needs an id']],
    ['an id with a space', `a b:${base64(1)}`, ['key 1 needs an id']],
    ['an id of 33 characters', `${'k'.repeat(33)}:${base64(1)}`, ['key 1 needs an id']],
    ['a key of 31 bytes', `a:${Buffer.alloc(31).toString('base64')}`, ['key 1 (a) must be 32 bytes']],
    ['a base64url key', `a:${Buffer.alloc(32, 0xff).toString('base64url')}`, ['key 1 (a) must be 32 bytes']],
    ['a key with characters that Node would skip', `a:*${base64(1)}`, ['key 1 (a) must be 32 bytes']],
    ['a second colon', `a:${base64(1)}:x`, ['key 1 must be kid:base64']],
    ['an id twice', `a:${base64(1)},a:${base64(2)}`, ['key 2 (a) repeats']],
    ['several faults', `a:x,b:${base64(1)},:`, ['key 1 (a) must be 32 bytes', 'key 3 needs an id']],
  ])('refuses a keyring with %s', (_, text, faults) => {
    const parsed = parseKeyring(text);
    expect(parsed.ok ? null : parsed.faults).toEqual(faults.map((fault) => expect.stringContaining(fault)));
  });

  it('reads every well-formed keyring', () => {
    const kids = fc.stringMatching(/^[A-Za-z0-9_-]{1,32}$/);
    const entries = fc.uniqueArray(fc.tuple(kids, fc.uint8Array({ minLength: 32, maxLength: 32 })), {
      minLength: 1,
      maxLength: 5,
      selector: ([kid]) => kid,
    });
    fc.assert(
      fc.property(entries, (keys) => {
        const parsed = parseKeyring(
          keys.map(([kid, bytes]) => `${kid}:${Buffer.from(bytes).toString('base64')}`).join(','),
        );
        const found = parsed.ok ? [...parsed.keyring.keys.values()] : [];
        expect(found.map(({ kid, bytes }) => [kid, [...bytes]])).toEqual(
          keys.map(([kid, bytes]) => [kid, [...bytes]]),
        );
      }),
    );
  });

  it('a printed keyring does not show its keys', () => {
    const parsed = parseKeyring(`a:${base64(7)}`);
    const printed = inspect(parsed, { depth: 10, showHidden: true }) + JSON.stringify(parsed);
    expect(printed).not.toMatch(/7, 7|07 07|BwcH/);
    expect(printed).toContain('[redacted]');
  });
});
