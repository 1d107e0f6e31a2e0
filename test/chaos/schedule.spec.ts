import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { disturbed, FAULT_KINDS, planFaults } from './schedule.js';

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const kindsIn = (plan: ReturnType<typeof planFaults>): Set<string> =>
  new Set(plan.map((fault) => fault.kind));

describe('the schedule of faults', () => {
  test('is the same for the same seed, and another for another', () => {
    const plan = (seed: number) => planFaults({ seed, seconds: 120, backend: 'redis' });
    expect(plan(7)).toEqual(plan(7));
    expect(plan(7)).not.toEqual(plan(8));
  });

  test('has every kind in a minute, whatever the seed', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const plan = planFaults({ seed, seconds: 60, backend: 'redis' });
        expect(kindsIn(plan)).toEqual(new Set(FAULT_KINDS));
      }),
    );
  });

  test('leaves Redis alone where there is none', () => {
    const plan = planFaults({ seed: 7, seconds: 60, backend: 'postgres' });
    expect(kindsIn(plan)).toEqual(new Set(FAULT_KINDS.filter((kind) => !kind.startsWith('Redis'))));
  });

  test('never stops two workers, or two apis, at once', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 10, max: 300 }), (seed, seconds) => {
        const until = new Map<string, number>();
        for (const { atMs, kind, forMs } of planFaults({ seed, seconds, backend: 'redis' })) {
          expect(atMs).toBeGreaterThanOrEqual(until.get(disturbed(kind)) ?? 0);
          expect(atMs).toBeLessThan(seconds * 1_000);
          until.set(disturbed(kind), atMs + forMs);
        }
      }),
    );
  });

  test('stops a worker for longer than a lease, also in a short run', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const [first] = planFaults({ seed, seconds: 20, backend: 'redis' });
        expect(first).toMatchObject({ kind: 'SIGSTOP worker' });
        expect(first?.forMs).toBeGreaterThan(11_000);
      }),
    );
  });
});
