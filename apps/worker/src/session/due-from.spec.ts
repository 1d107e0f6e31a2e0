import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DueFrom } from './due-from.js';

const at = (ms: number): Date => new Date(ms);

describe('the time before which nothing is looked at', () => {
  it('is not known before the first delivery', () => {
    const dueFrom = new DueFrom(0);
    dueFrom.note([], [at(5)]);
    expect(dueFrom.next(1)).toBeNull();
  });

  it('is at most the first delivery that was fetched, and all that are in flight', () => {
    const dueFrom = new DueFrom(0);
    dueFrom.note([at(100_000), at(200_000)], []);
    expect(dueFrom.next(1)).toEqual(at(100_000));
    dueFrom.note([at(150_000), at(200_000)], [at(100_000)]);
    expect(dueFrom.next(1)).toEqual(at(100_000));
  });

  it('leaves 30 s for transactions that commit late', () => {
    const dueFrom = new DueFrom(0);
    dueFrom.note([at(100_000)], []);
    expect(dueFrom.next(1)).toEqual(at(70_000));
  });

  it('is forgotten every minute, and when something is due that was not seen', () => {
    const dueFrom = new DueFrom(0);
    dueFrom.note([at(100_000)], []);
    expect(dueFrom.next(59_999)).not.toBeNull();
    expect(dueFrom.next(60_000)).toBeNull();
    dueFrom.note([at(100_000)], []);
    dueFrom.lookAtAll();
    expect(dueFrom.next(60_001)).toBeNull();
  });

  it('never passes a delivery that is left, whatever is delivered in whatever order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 60 }),
        fc.infiniteStream(fc.record({ wanted: fc.integer({ min: 1, max: 8 }), ends: fc.boolean() })),
        (dues, steps) => {
          const dueFrom = new DueFrom(0);
          const left = new Set(dues.toSorted((a, b) => a - b).map((ms) => ({ ms })));
          const inFlight = new Set<{ ms: number }>();
          for (const { wanted, ends } of steps) {
            if (left.size === 0) break;
            const from = dueFrom.next(1)?.getTime() ?? Number.NEGATIVE_INFINITY;
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
});
