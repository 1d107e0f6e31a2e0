import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TooManyRequestsError } from './too-many-requests.js';
import { BodyBudget } from './body-budget.js';

const statusOf = (take: () => unknown): number => {
  try {
    take();
    return 200;
  } catch (error) {
    return error instanceof TooManyRequestsError ? error.statusCode : 500;
  }
};

describe('BodyBudget', () => {
  it('refuses a key beyond its own bound with 429, and any key beyond the bound of the process with 503', () => {
    const budget = new BodyBudget(100, 50);
    const release = budget.take('a', 50);
    expect(statusOf(() => budget.take('a', 1))).toBe(429);
    budget.take('b', 40);
    expect(statusOf(() => budget.take('c', 20))).toBe(503);
    release();
    expect(statusOf(() => budget.take('c', 20))).toBe(200);
  });

  it('gives every key at least one body, whatever its size', () => {
    const budget = new BodyBudget(100, 10);
    expect(statusOf(() => budget.take('a', 60))).toBe(200);
  });

  it('never has more under way than its bounds, and nothing after every body was given back', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c'), bytes: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(fc.array(fc.oneof(step, fc.nat(20)), { maxLength: 60 }), (steps) => {
        const budget = new BodyBudget(100, 50);
        const releases: (() => void)[] = [];
        for (const given of steps) {
          if (typeof given === 'number') releases[given]?.();
          else
            try {
              releases.push(budget.take(given.key, given.bytes));
            } catch {
              // Refused.
            }
          expect(budget.bytes).toBeLessThanOrEqual(100);
        }
        for (const release of releases) release();
        expect(budget.bytes).toBe(0);
      }),
    );
  });
});
