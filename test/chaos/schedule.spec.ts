import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { FAULT_KINDS, kindOf } from './faults.js';
import { planFaults, type PlanOptions } from './schedule.js';

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const planned = (given: Partial<PlanOptions> = {}) =>
  planFaults({ seed: 7, seconds: 60, backend: 'redis', ownDisk: true, ...given });
const kindsIn = (plan: ReturnType<typeof planFaults>) => new Set(plan.map(({ kind }) => kind));
const labelsIn = (plan: ReturnType<typeof planFaults>) => new Set(plan.map(({ fault }) => fault.label));

test('the schedule has the same faults for the same seed, and others for another seed', () => {
  const texts = (seed: number) => JSON.stringify(planned({ seed }));
  expect(texts(7)).toBe(texts(7));
  expect(texts(7)).not.toBe(texts(8));
});

test.each([45, 120])('the schedule has every kind of fault in %i s for any seed', (seconds) => {
  fc.assert(
    fc.property(seeds, (seed) => {
      expect(kindsIn(planned({ seed, seconds }))).toEqual(new Set(FAULT_KINDS));
    }),
  );
});

test('a long schedule has every form of every fault that the queue’s backend has', () => {
  for (const backend of ['redis', 'postgres'] as const) {
    const forms = FAULT_KINDS.flatMap((name) => kindOf(name).forms(backend)).map(({ label }) => label);
    expect(labelsIn(planned({ seconds: 12_000, backend }))).toEqual(new Set(forms));
    expect(forms.some((label) => label.includes('Redis'))).toBe(backend === 'redis');
  }
});

test('the schedule has no full disk where no file system can be mounted', () => {
  const kinds = FAULT_KINDS.filter((name) => name !== 'PostgreSQL disk full');
  expect(kindsIn(planned({ ownDisk: false }))).toEqual(new Set(kinds));
});

test('faults of one target do not overlap, none ends after the run, and the first outlasts a takeover', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 20, max: 300 }), (seed, seconds) => {
      const until = new Map<string, number>();
      const plan = planned({ seed, seconds });
      for (const { atMs, kind, forMs } of plan) {
        const { target, lastsMs } = kindOf(kind);
        expect(atMs).toBeGreaterThanOrEqual(until.get(target) ?? 0);
        expect(atMs + forMs).toBeLessThan(seconds * 1_000);
        const [least, most] = lastsMs[seconds <= 60 ? 0 : 1];
        expect(forMs >= least && forMs <= most).toBe(true);
        until.set(target, atMs + forMs);
      }
      expect(plan[0]).toMatchObject({ kind: 'SIGSTOP worker' });
    }),
  );
});
