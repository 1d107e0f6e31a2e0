import { describe, expect, it } from '@jest/globals';
import type { SignInLinkRow } from '#libs/database';
import { signInLinkView } from './sign-in-link-view.js';

const NOW = new Date('2025-11-20T09:30:00Z');
const LATER = new Date('2025-11-20T09:30:01Z');

const stateOf = (given: Partial<SignInLinkRow>): string => {
  const row: SignInLinkRow = {
    id: 'l',
    consumer_id: 'c',
    name: 'ann',
    token_hash: Buffer.from('the hash of the token'),
    created_by: 'olga',
    created_at: new Date(0),
    expires_at: LATER,
    used_at: null,
    revoked_at: null,
    ...given,
  };
  const view = signInLinkView(row, NOW);
  expect(JSON.stringify(view)).not.toContain(row.token_hash.toString('base64'));
  return view.state;
};

describe('state of a sign-in link', () => {
  it('a link is unused until it expires, is used or is revoked', () => {
    expect(stateOf({})).toBe('unused');
    expect(stateOf({ expires_at: NOW })).toBe('expired');
    expect(stateOf({ used_at: NOW })).toBe('used');
    expect(stateOf({ revoked_at: NOW })).toBe('revoked');
  });

  it('a used link stays used after its expiry, and a revoked one stays revoked', () => {
    expect(stateOf({ used_at: NOW, expires_at: NOW })).toBe('used');
    expect(stateOf({ used_at: NOW, revoked_at: NOW, expires_at: NOW })).toBe('revoked');
  });
});
