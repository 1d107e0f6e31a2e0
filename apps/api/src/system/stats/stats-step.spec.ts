import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stepsOf } from './stats-step.js';

const from = new Date('2025-11-20T10:30:10Z');
const after = (seconds: number): Date => new Date(from.getTime() + seconds * 1_000);

describe('stepsOf', () => {
  it('a statistics step is a minute for up to a day, and grows with the range', () => {
    expect(stepsOf(from, after(3_600)).stepSeconds).toBe(60);
    expect(stepsOf(from, after(86_400)).stepSeconds).toBe(60);
    expect(stepsOf(from, after(1_498 * 60)).stepSeconds).toBe(60);
    expect(stepsOf(from, after(1_498 * 60 + 1)).stepSeconds).toBe(120);
    expect(stepsOf(from, after(90 * 86_400)).stepSeconds).toBe(7_200);
  });

  it('at most 1,500 whole statistics steps cover the range', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 * 366 * 86_400 }), (seconds) => {
        const to = after(seconds);
        const steps = stepsOf(from, to);
        expect(steps.count).toBeGreaterThanOrEqual(1);
        expect(steps.count).toBeLessThanOrEqual(1_500);
        expect(steps.from.getTime()).toBeLessThanOrEqual(from.getTime());
        expect(steps.to.getTime()).toBeGreaterThanOrEqual(to.getTime());
        expect(steps.to.getTime() - steps.from.getTime()).toBe(steps.count * steps.stepSeconds * 1_000);
        expect(steps.from.getTime() % (steps.stepSeconds * 1_000)).toBe(0);
      }),
    );
  });

  it('an empty or reversed range has no statistics step', () => {
    expect(stepsOf(from, from)).toEqual({ from, to: from, stepSeconds: 60, count: 0 });
    expect(stepsOf(after(1), from)).toEqual({ from: after(1), to: from, stepSeconds: 60, count: 0 });
  });

  it('the statistics steps end at the last representable instant at the latest', () => {
    const last = new Date('9999-12-31T23:59:59.999Z');
    expect(stepsOf(from, last).to).toEqual(last);
  });
});
