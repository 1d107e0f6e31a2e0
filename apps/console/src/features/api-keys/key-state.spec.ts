import { describe, expect, it } from '@jest/globals';
import { stateOf } from './key-state';

const NOW = Date.parse('2025-11-20T09:30:00Z');
const DAY_MS = 86_400_000;
const endingIn = (ms: number) => ({ expiresAt: new Date(NOW + ms).toISOString(), revokedAt: null });

describe('state of an API key', () => {
  it.each([
    [14 * DAY_MS, 'active'],
    [14 * DAY_MS - 1, 'expires-soon'],
    [1, 'expires-soon'],
    [0, 'expired'],
  ])('shows a key %d ms before its expiry as %s', (ms, state) => {
    expect(stateOf(endingIn(ms), NOW)).toBe(state);
    expect(stateOf({ ...endingIn(ms), revokedAt: new Date(NOW).toISOString() }, NOW)).toBe('revoked');
  });

  it('shows a key without an expiry as active', () => {
    expect(stateOf({ expiresAt: null, revokedAt: null }, NOW)).toBe('active');
  });
});
