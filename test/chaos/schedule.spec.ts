import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { CUTS, disturbed, FAULT_KINDS, labelOf, linksOf, ownLinksOf } from './fault-kinds.js';
import { planFaults } from './schedule.js';

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const kindsIn = (plan: ReturnType<typeof planFaults>): Set<string> =>
  new Set(plan.map((fault) => fault.kind));

describe('schedule of faults', () => {
  test('plans the same faults for the same seed, and other faults for another seed', () => {
    const plan = (seed: number) => planFaults({ seed, seconds: 120, backend: 'redis', ownDisk: true });
    expect(plan(7)).toEqual(plan(7));
    expect(plan(7)).not.toEqual(plan(8));
  });

  test.each([45, 60, 120])('plans every kind of fault in %i s for any seed', (seconds) => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const plan = planFaults({ seed, seconds, backend: 'redis', ownDisk: true });
        expect(kindsIn(plan)).toEqual(new Set(FAULT_KINDS));
      }),
    );
  });

  test('plans no fault of Redis with the queue on PostgreSQL', () => {
    const plan = planFaults({ seed: 7, seconds: 60, backend: 'postgres', ownDisk: true });
    expect(kindsIn(plan)).toEqual(new Set(FAULT_KINDS.filter((kind) => !kind.startsWith('Redis'))));
    expect(plan.filter((fault) => labelOf(fault).includes('Redis'))).toEqual([]);
  });

  test('plans no full disk where no file system can be mounted', () => {
    const plan = planFaults({ seed: 7, seconds: 60, backend: 'redis', ownDisk: false });
    expect(kindsIn(plan)).toEqual(new Set(FAULT_KINDS.filter((kind) => kind !== 'PostgreSQL disk full')));
  });

  test('plans faults of every link, and dropped data in both directions', () => {
    const plan = planFaults({ seed: 7, seconds: 1_200, backend: 'redis', ownDisk: true });
    const labels = new Set(plan.map(labelOf));
    for (const { from, to } of linksOf('redis')) {
      for (const kind of ['slow link', 'one-way link', 'blackhole']) {
        expect(labels).toContain(`${kind} to ${to} from ${from}`);
      }
    }
    const drops = plan.flatMap((fault) => (fault.kind === 'one-way link' ? fault.drops : []));
    expect(new Set(drops)).toEqual(new Set(['to server', 'from server']));
  });

  test('plans partial cuts of every link of one process in three ways, and jumps of clocks ahead and behind', () => {
    const plan = planFaults({ seed: 7, seconds: 2_400, backend: 'redis', ownDisk: true });
    const labels = new Set(plan.map(labelOf));
    for (const { from, to } of ownLinksOf('redis'))
      for (const cut of CUTS) expect(labels).toContain(`partial cut (${cut}) of ${to} from one ${from}`);
    expect([...labels].filter((label) => label.startsWith('clock')).toSorted()).toEqual([
      'clock ahead of a worker',
      'clock ahead of an api',
      'clock behind of a worker',
    ]);
  });

  test('plans blackholes of 30 s, and no fault that would end after the run', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 10, max: 300 }), (seed, seconds) => {
        const plan = planFaults({ seed, seconds, backend: 'redis', ownDisk: true });
        const blackholes = plan.filter((fault) => fault.kind === 'blackhole');
        expect(blackholes.every((fault) => fault.forMs === 30_000)).toBe(true);
        expect(plan.every(({ atMs, forMs }) => atMs + forMs < seconds * 1_000)).toBe(true);
      }),
    );
  });

  test('plans table locks of 3 to 10 s, and suspensions of 8 to 20 s until another worker delivers', () => {
    const plan = planFaults({ seed: 7, seconds: 1_200, backend: 'redis', ownDisk: true });
    const lasting = (part: string): number[] =>
      plan.filter(({ kind }) => kind.includes(part)).map(({ forMs }) => forMs);
    expect(lasting('locked').every((ms) => ms >= 3_000 && ms <= 10_000)).toBe(true);
    expect(lasting('until another delivers').every((ms) => ms >= 8_000 && ms <= 20_000)).toBe(true);
  });

  test('plans no overlapping faults of two workers or of two apis', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 10, max: 300 }), (seed, seconds) => {
        const until = new Map<string, number>();
        for (const { atMs, kind, forMs } of planFaults({ seed, seconds, backend: 'redis', ownDisk: true })) {
          expect(atMs).toBeGreaterThanOrEqual(until.get(disturbed(kind)) ?? 0);
          expect(atMs).toBeLessThan(seconds * 1_000);
          until.set(disturbed(kind), atMs + forMs);
        }
      }),
    );
  });

  test('plans first a suspension that outlasts the takeover by another worker, also in a short run', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const [first] = planFaults({ seed, seconds: 20, backend: 'redis', ownDisk: true });
        expect(first).toMatchObject({ kind: 'SIGSTOP worker' });
        expect(first?.forMs).toBeGreaterThanOrEqual(8_000);
      }),
    );
  });
});
