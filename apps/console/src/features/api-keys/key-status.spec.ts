import { describe, expect, it } from '@jest/globals';
import { statusOf } from './key-status';

const NOW = Date.parse('2025-11-20T09:30:00Z');
const DAY_MS = 86_400_000;
const endingIn = (ms: number) => ({ expiresAt: new Date(NOW + ms).toISOString(), revokedAt: null });

describe('the status of a key', () => {
  it.each([
    [14 * DAY_MS, 'active'],
    [14 * DAY_MS - 1, 'expires-soon'],
    [1, 'expires-soon'],
    [0, 'expired'],
  ])('%d ms before its end is %s', (ms, status) => {
    expect(statusOf(endingIn(ms), NOW)).toBe(status);
    expect(statusOf({ ...endingIn(ms), revokedAt: new Date(NOW).toISOString() }, NOW)).toBe('revoked');
  });

  it('without an end is active', () => {
    expect(statusOf({ expiresAt: null, revokedAt: null }, NOW)).toBe('active');
  });
});
