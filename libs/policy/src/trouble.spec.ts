import { describe, expect, it } from '@jest/globals';
import { troubleOf, worstFirst, type ConsumerCondition } from './trouble.js';

const NOW = new Date('2025-11-20T12:00:00Z');
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const MINUTE = 60_000;
const DAY = 86_400_000;

const WELL: ConsumerCondition = {
  secretFault: null,
  circuitOpenedAt: null,
  failures: 0,
  firstFailureAt: null,
  paused: null,
  oldestDueAt: null,
  firstToExpire: null,
  allPaused: false,
};
const trouble = (condition: Partial<ConsumerCondition>) => troubleOf({ ...WELL, ...condition }, NOW);
const kind = (condition: Partial<ConsumerCondition>) => trouble(condition)?.kind;
const paused = (since: Date, byAnswer = false) => ({ paused: { since, reason: 'maintenance', byAnswer } });
const failing = (failures: number) => ({ failures, firstFailureAt: ago(MINUTE) });

describe('troubleOf', () => {
  it('has nothing to say of a consumer that is well', () => {
    expect(trouble({})).toBeNull();
    expect(trouble(failing(2))).toBeNull();
    expect(trouble({ oldestDueAt: ago(5 * MINUTE) })).toBeNull();
  });

  it('knows both sides of each bound', () => {
    expect(kind(failing(3))).toBe('failing');
    expect(kind({ oldestDueAt: ago(5 * MINUTE + 1) })).toBe('behind');
    expect(trouble(paused(ago(30 * DAY - 1)))?.why).not.toContain('30 days');
    expect(trouble(paused(ago(30 * DAY)))?.why).toContain('paused for 30 days');
  });

  it('watches certificates for their last 30 days, beneath whatever else is wrong', () => {
    const ending = (inMs: number) => ({
      firstToExpire: { use: 'client' as const, notAfter: new Date(NOW.getTime() + inMs) },
    });
    expect(trouble(ending(30 * DAY + 1))).toBeNull();
    expect(trouble(ending(30 * DAY))).toMatchObject({
      kind: 'certificate',
      since: NOW,
      why: 'The client certificate that we present to it expires in 30 days.',
    });
    expect(trouble(ending(0))?.why).toContain('expires in 0 minutes');
    expect(trouble(ending(-3 * DAY))?.why).toContain('expired 3 days ago');
    expect(kind({ ...ending(-DAY), ...failing(3) })).toBe('failing');
    expect(kind({ ...ending(-DAY), oldestDueAt: ago(DAY) })).toBe('behind');
  });

  it('names the worst when there is more than one', () => {
    const everything = {
      secretFault: { words: 'no key k1', since: ago(DAY) },
      circuitOpenedAt: ago(DAY),
      ...failing(20),
      ...paused(ago(DAY)),
      oldestDueAt: ago(DAY),
    };
    expect(kind(everything)).toBe('secret');
    expect(kind({ ...everything, secretFault: null })).toBe('paused');
    expect(kind({ ...everything, secretFault: null, paused: null })).toBe('circuit');
    expect(kind({ ...failing(20), oldestDueAt: ago(DAY) })).toBe('failing');
  });

  it('does not blame a consumer for a pause of everybody', () => {
    expect(trouble({ oldestDueAt: ago(DAY), allPaused: true })).toBeNull();
    expect(kind({ ...failing(5), allPaused: true })).toBe('failing');
  });

  it('says why, since when and what to do', () => {
    expect(trouble({ circuitOpenedAt: ago(MINUTE), failures: 12 })).toEqual({
      kind: 'circuit',
      rank: 1,
      since: ago(MINUTE),
      why: expect.stringContaining('12 failures in a row'),
      advice: expect.stringContaining('contact'),
    });
    expect(trouble({ oldestDueAt: ago(3 * 60 * MINUTE) })?.why).toContain('3 hours');
    expect(trouble(paused(ago(MINUTE)))?.why).toContain('maintenance');
    expect(trouble(paused(ago(MINUTE), true))?.why).toContain('410');
  });
});

describe('worstFirst', () => {
  it('puts what nobody has decided before what somebody has, and of equals the longest first', () => {
    const all = [
      paused(ago(MINUTE)),
      { oldestDueAt: ago(DAY) },
      failing(4),
      paused(ago(MINUTE), true),
      { circuitOpenedAt: ago(MINUTE), failures: 10 },
      { circuitOpenedAt: ago(DAY), failures: 10 },
      { secretFault: { words: '', since: ago(MINUTE) } },
    ].flatMap((condition) => trouble(condition) ?? []);
    const sorted = all.toSorted(worstFirst);
    expect(sorted.map((one) => one.kind)).toEqual([
      'secret',
      'circuit',
      'circuit',
      'paused',
      'failing',
      'behind',
      'paused',
    ]);
    expect(sorted[1]?.since).toEqual(ago(DAY));
  });
});
