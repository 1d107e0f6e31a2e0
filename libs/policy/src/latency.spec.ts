import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LATENCY_BOUNDS_MS, latencyBucket, percentileOf } from './latency.js';

const last = LATENCY_BOUNDS_MS.length - 1;

describe('latencyBucket', () => {
  it('counts a latency equal to a bound in the bucket of that bound, and a greater latency in the next bucket', () => {
    expect([0, 1, 1.1, 1.5, 1.6, 10, 10.1].map(latencyBucket)).toEqual([0, 0, 1, 1, 2, 6, 7]);
    expect(latencyBucket(7 * 86_400_000)).toBeLessThan(last + 1);
    expect(latencyBucket(Number.MAX_SAFE_INTEGER)).toBe(last);
  });
});

describe('percentileOf', () => {
  it('returns no percentile for an empty histogram', () => {
    expect(percentileOf([], 0.5)).toBeNull();
    expect(percentileOf([0, 0], 0.95)).toBeNull();
  });

  it('returns the true percentile or up to two thirds more', () => {
    const latency = fc.integer({ min: 2, max: 600_000_000 });
    fc.assert(
      fc.property(
        fc.array(latency, { minLength: 1, maxLength: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (all, share) => {
          const histogram: number[] = Array.from({ length: last + 1 }, () => 0);
          for (const ms of all) histogram[latencyBucket(ms)] = (histogram[latencyBucket(ms)] ?? 0) + 1;
          const rank = Math.max(1, Math.ceil(all.length * share));
          const truth = all.toSorted((a, b) => a - b)[rank - 1] ?? 0;
          const returned = percentileOf(histogram, share) ?? 0;
          expect(returned).toBeGreaterThanOrEqual(truth);
          expect(returned).toBeLessThanOrEqual(Math.ceil(truth * (5 / 3)));
        },
      ),
    );
  });

  it('returns the same percentile without the zeros at the end of a histogram', () => {
    expect(percentileOf([0, 4, 0, 0], 0.95)).toBe(percentileOf([0, 4], 0.95));
  });
});
