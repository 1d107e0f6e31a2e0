import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { heldTooLongSince, type Standstill } from './held-too-long.js';

const NOW = new Date('2026-11-21T08:00:00.000Z');
const MINUTE_MS = 60_000;
const ago = (minutes: number): Date => new Date(NOW.getTime() - minutes * MINUTE_MS);
const standstill = (from: number, to: number): Standstill => ({ beganAt: ago(from), endedAt: ago(to) });

describe('heldTooLongSince', () => {
  it('is the limit ago when nothing stood still', () => {
    expect(heldTooLongSince(NOW, 100 * MINUTE_MS, [])).toEqual(ago(100));
  });

  it.each([
    ['in the middle', [standstill(60, 40)], 120],
    ['before the limit', [standstill(300, 200)], 100],
    ['at the very end', [standstill(10, 0)], 110],
    ['that reaches back beyond it', [standstill(300, 50)], 350],
    ['twice, overlapping', [standstill(60, 40), standstill(50, 30)], 130],
    ['one inside the other', [standstill(80, 20), standstill(50, 40)], 160],
  ])('is earlier by what stood still %s', (_, standstills, minutes) => {
    expect(heldTooLongSince(NOW, 100 * MINUTE_MS, standstills)).toEqual(ago(minutes));
  });

  it('leaves exactly the limit of counted minutes, whatever stood still', () => {
    const span = fc
      .tuple(fc.nat(500), fc.nat(500))
      .map(([a, b]) => standstill(Math.max(a, b), Math.min(a, b)));
    fc.assert(
      fc.property(
        fc.array(span, { maxLength: 8 }),
        fc.integer({ min: 1, max: 300 }),
        (standstills, limit) => {
          const since = heldTooLongSince(NOW, limit * MINUTE_MS, standstills);
          const stood = (minute: number): boolean =>
            standstills.some(({ beganAt, endedAt }) => beganAt < ago(minute) && endedAt >= ago(minute));
          const minutes = (NOW.getTime() - since.getTime()) / MINUTE_MS;
          const counted = Array.from({ length: minutes }, (_, minute) => minute).filter((m) => !stood(m));
          expect(counted).toHaveLength(limit);
        },
      ),
    );
  });
});
