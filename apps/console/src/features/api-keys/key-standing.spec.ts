import { describe, expect, it } from '@jest/globals';
import { standingOf } from './key-standing';

const NOW = Date.parse('2025-11-20T09:30:00Z');
const DAY_MS = 86_400_000;
const endingIn = (ms: number) => ({ expiresAt: new Date(NOW + ms).toISOString(), revokedAt: null });

describe('how a key stands', () => {
  it('ends soon from 14 days before its end, and is expired at its end', () => {
    expect(standingOf({ expiresAt: null, revokedAt: null }, NOW)).toBe('live');
    expect(standingOf(endingIn(14 * DAY_MS), NOW)).toBe('live');
    expect(standingOf(endingIn(14 * DAY_MS - 1), NOW)).toBe('ends-soon');
    expect(standingOf(endingIn(1), NOW)).toBe('ends-soon');
    expect(standingOf(endingIn(0), NOW)).toBe('expired');
  });

  it('is revoked whatever its end', () => {
    for (const ms of [-DAY_MS, DAY_MS]) {
      expect(standingOf({ ...endingIn(ms), revokedAt: new Date(NOW).toISOString() }, NOW)).toBe('revoked');
    }
  });
});
