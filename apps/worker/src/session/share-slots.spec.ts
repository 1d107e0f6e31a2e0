import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { shareSlots } from './share-slots.js';

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

it('assigns all free slots that are wanted, and no session more than it wants', () => {
  fc.assert(
    fc.property(fc.nat(600), fc.array(fc.nat(600), { maxLength: 50 }), (free, wants) => {
      const shares = shareSlots(free, wants);
      expect(sum(shares)).toBe(Math.min(free, sum(wants)));
      for (const [index, share] of shares.entries()) expect(share).toBeLessThanOrEqual(wants[index] ?? 0);
    }),
  );
});

it('satisfies a session that wants few slots before another one gets more than an equal share', () => {
  expect(shareSlots(10, [2, 100, 100])).toEqual([2, 4, 4]);
  expect(shareSlots(1, [5, 5])).toEqual([1, 0]);
});
