import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DueFrom } from './due-from.js';

const at = (ms: number): Date => new Date(ms);

it('the lower bound of due times is unset before the first fetched delivery', () => {
  const dueFrom = new DueFrom(0);
  dueFrom.note([], [at(5)]);
  expect(dueFrom.next(1)).toBeNull();
});

it('the lower bound of due times is not later than the first fetched delivery or any delivery in flight', () => {
  const dueFrom = new DueFrom(0);
  dueFrom.note([at(100_000), at(200_000)], []);
  expect(dueFrom.next(1)).toEqual(at(100_000));
  dueFrom.note([at(150_000), at(200_000)], [at(100_000)]);
  expect(dueFrom.next(1)).toEqual(at(100_000));
});

it('the lower bound of due times allows for transactions that commit 0.5 s late, and once a second for 30 s', () => {
  const dueFrom = new DueFrom(0);
  dueFrom.note([at(100_000)], []);
  expect([1, 999, 1_000, 1_001, 1_999, 2_000].map((nowMs) => dueFrom.next(nowMs)?.getTime())).toEqual([
    99_500, 99_500, 70_000, 99_500, 99_500, 70_000,
  ]);
  // One was found that committed late, and is in flight.
  dueFrom.note([at(80_000)], []);
  expect(dueFrom.next(2_001)).toEqual(at(80_000));
  dueFrom.note([at(101_000)], [at(80_000)]);
  expect(dueFrom.next(2_002)).toEqual(at(80_000));
});

it('the lower bound of due times is dropped every minute, and on reset', () => {
  const dueFrom = new DueFrom(0);
  dueFrom.note([at(100_000)], []);
  expect(dueFrom.next(59_999)).not.toBeNull();
  expect(dueFrom.next(60_000)).toBeNull();
  dueFrom.note([at(100_000)], []);
  dueFrom.reset();
  expect(dueFrom.next(60_001)).toBeNull();
});

it('the lower bound of due times never skips a pending delivery, for any order of fetches and results', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 60 }),
      fc.infiniteStream(
        fc.record({ wanted: fc.integer({ min: 1, max: 8 }), ends: fc.boolean(), tookMs: fc.nat(600) }),
      ),
      (dues, steps) => {
        const dueFrom = new DueFrom(0);
        const left = new Set(dues.toSorted((a, b) => a - b).map((ms) => ({ ms })));
        const inFlight = new Set<{ ms: number }>();
        let nowMs = 0;
        for (const { wanted, ends, tookMs } of steps) {
          if (left.size === 0) break;
          nowMs += tookMs;
          const from = dueFrom.next(nowMs)?.getTime() ?? Number.NEGATIVE_INFINITY;
          expect([...left].filter(({ ms }) => ms < from)).toEqual([]);
          const fetched = [...left].filter((one) => !inFlight.has(one)).slice(0, wanted);
          dueFrom.note(
            fetched.map(({ ms }) => at(ms)),
            [...inFlight].map(({ ms }) => at(ms)),
          );
          for (const one of fetched) inFlight.add(one);
          const [done] = inFlight;
          if (done === undefined || (!ends && fetched.length > 0)) continue;
          inFlight.delete(done);
          left.delete(done);
        }
      },
    ),
  );
});
