import { describe, expect, it } from '@jest/globals';
import { stateOf } from './sign-in-link-view.js';

const NOW = new Date('2025-11-20T09:30:00Z');
const UNUSED = { expires_at: new Date('2025-11-20T09:30:01Z'), used_at: null, revoked_at: null };

describe('state of a sign-in link', () => {
  it('a link is unused until it expires, is used or is revoked', () => {
    expect(stateOf(UNUSED, NOW)).toBe('unused');
    expect(stateOf({ ...UNUSED, expires_at: NOW }, NOW)).toBe('expired');
    expect(stateOf({ ...UNUSED, used_at: NOW }, NOW)).toBe('used');
    expect(stateOf({ ...UNUSED, revoked_at: NOW }, NOW)).toBe('revoked');
  });

  it('a used link stays used after its expiry, and a revoked one stays revoked', () => {
    expect(stateOf({ ...UNUSED, used_at: NOW, expires_at: NOW }, NOW)).toBe('used');
    expect(stateOf({ revoked_at: NOW, used_at: NOW, expires_at: NOW }, NOW)).toBe('revoked');
  });
});
