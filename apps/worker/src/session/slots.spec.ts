import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { divideSlots, SlowStart, type SlotDemand } from './slots.js';

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const demand = (given: Partial<SlotDemand>): SlotDemand => ({
  inFlight: given.busy ?? 0,
  busy: 0,
  wants: 0,
  isProven: true,
  ...given,
});

const demands = fc.array(
  fc
    .record({ busy: fc.nat(40), slow: fc.nat(40), wants: fc.nat(600), isProven: fc.boolean() })
    .map(({ slow, ...rest }) => ({ ...rest, inFlight: rest.busy + slow })),
  { maxLength: 50 },
);
const slots = fc.integer({ min: 1, max: 600 });

describe('the division of a worker’s slots', () => {
  it('gives no session more than it wants, and never has more requests than slots, or four for each slot', () => {
    fc.assert(
      fc.property(slots, demands, (count, given) => {
        const shares = divideSlots(count, given);
        for (const [index, share] of shares.entries())
          expect(share).toBeLessThanOrEqual(given[index]?.wants ?? 0);
        const busy = sum(given.map((one) => one.busy));
        const inFlight = sum(given.map((one) => one.inFlight));
        expect(sum(shares)).toBeLessThanOrEqual(Math.max(0, count - busy));
        expect(sum(shares)).toBeLessThanOrEqual(Math.max(0, 4 * count - inFlight));
      }),
    );
  });

  it('gives sessions without a success at most half of the slots', () => {
    fc.assert(
      fc.property(slots, demands, (count, given) => {
        const shares = divideSlots(count, given);
        const unproven = given.flatMap(({ isProven, busy }, index) =>
          isProven ? [] : [{ busy, share: shares[index] ?? 0 }],
        );
        const free = Math.ceil(count / 2) - sum(unproven.map(({ busy }) => busy));
        expect(sum(unproven.map(({ share }) => share))).toBeLessThanOrEqual(Math.max(0, free));
      }),
    );
  });

  it('leaves no slot free that a session with a success wants', () => {
    fc.assert(
      fc.property(slots, fc.array(fc.nat(600), { minLength: 2, maxLength: 50 }), (count, wants) => {
        const shares = divideSlots(
          count,
          wants.map((wanted) => demand({ wants: wanted })),
        );
        const most = Math.ceil(count * 0.75);
        expect(sum(shares)).toBe(Math.min(count, sum(wants.map((want) => Math.min(want, most)))));
      }),
    );
  });

  it('satisfies a session that wants few slots before another one gets more than an equal share', () => {
    const wants = (...wanted: number[]) => wanted.map((one) => demand({ wants: one }));
    expect(divideSlots(10, wants(2, 100, 100))).toEqual([2, 4, 4]);
    expect(divideSlots(1, wants(5, 5))).toEqual([1, 0]);
  });

  it('leaves half of the slots to healthy consumers while any number of others hang', () => {
    const hanging = Array.from({ length: 12 }, () => demand({ wants: 4, isProven: false }));
    const healthy = Array.from({ length: 12 }, () => demand({ wants: 10 }));
    const shares = divideSlots(64, [...hanging, ...healthy]);
    expect([sum(shares.slice(0, 12)), sum(shares.slice(12))]).toEqual([32, 32]);
  });

  it('gives one consumer three quarters of the slots at most, and all of them when it is alone', () => {
    expect(divideSlots(8, [demand({ wants: 20 }), demand({})])).toEqual([6, 0]);
    expect(divideSlots(8, [demand({ wants: 20 })])).toEqual([8]);
  });
});

/** Of so many requests in flight the slow ones take no slot. */
const inFlight = (size: number, slow = 0, oldestSinceMs: number | null = null) => ({
  size,
  oldestSinceMs,
  busy: () => size - slow,
});

describe('slow start', () => {
  it('begins with 4 requests at once, doubles with a success up to the limit and halves with a failure', () => {
    const start = new SlowStart();
    const free = (): number => start.free(0, inFlight(0));
    const success = (): void => start.succeeded(0, 10);
    const failure = (): void => start.failed();
    const sizes = [free()];
    for (const act of [success, success, failure, failure, failure, failure, success]) {
      act();
      sizes.push(free());
    }
    expect(sizes).toEqual([4, 8, 10, 4, 2, 1, 1, 2]);
  });

  it('counts a consumer as proven from its first success to its next failure, and while no request is slow', () => {
    const start = new SlowStart();
    const one = inFlight(1, 0, 1_500);
    expect(start.isProven(0, inFlight(0))).toBe(false);
    start.succeeded(1_000, 64);
    start.succeeded(1_001, 64);
    expect([start.isProven(1_999, one), start.isProven(2_000, one)]).toEqual([true, false]);
    expect([start.free(1_999, one), start.free(2_000, one)]).toEqual([15, 3]);
    start.succeeded(2_100, 64);
    expect(start.isProven(2_200, one)).toBe(true);
    start.failed();
    expect(start.isProven(2_200, inFlight(0))).toBe(false);
  });

  it('goes on when a request times out while only others that hang are in flight, if answers came beside them', () => {
    const start = new SlowStart();
    for (const atMs of [1_000, 1_001, 1_002]) start.succeeded(atMs, 16);
    start.failed();
    expect(start.free(2_000, inFlight(9, 9, 900))).toBe(4);
  });

  it('begins nothing beside more requests that hang than it has earned, if nothing was answered since the first', () => {
    const start = new SlowStart();
    start.succeeded(1_000, 16);
    start.failed();
    expect(start.free(2_000, inFlight(9, 9, 1_001))).toBe(-5);
  });

  it('always has room for a request while answers come beside slow ones and nothing else is in flight', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), fc.integer({ min: 1, max: 500 }), (answers, hanging) => {
        const start = new SlowStart();
        start.succeeded(1, 64);
        for (const succeeds of answers)
          if (succeeds) start.succeeded(2, 64);
          else start.failed();
        expect(start.free(1_000, inFlight(hanging, hanging, 0))).toBeGreaterThan(0);
      }),
    );
  });
});
