import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { seededRandom } from '#test/chaos/seeded-random';
import { severityOf } from './severity.js';
import { SimulatedConsumer, type Fault } from './testing/simulated-consumer.js';
import { issuesUntil } from './testing/simulated-issues.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** An issue ends after 10 quiet minutes; the last that is not quiet is noted up to 75 s before. */
const HEALTHY_GAP = 8 * MINUTE;
const MONTHS = 50;

const lasting = (min: number, max: number) => fc.integer({ min, max });
const share = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Parts in which nearly every attempt fails; after each, every attempt succeeds for some minutes. */
const outage = fc.array(
  fc.record({
    name: fc.constant('outage'),
    lasts: lasting(10 * MINUTE, 90 * MINUTE),
    share: share(0.97, 1),
    isGone: fc.constant(false),
    gap: lasting(20 * SECOND, 12 * MINUTE),
  }),
  { minLength: 1, maxLength: 4 },
);
const ordinary = fc
  .oneof(
    fc.record({ lasts: lasting(20 * SECOND, 4 * MINUTE), share: share(0.4, 1) }),
    fc.record({ lasts: lasting(5 * MINUTE, 30 * MINUTE), share: share(0.05, 0.25) }),
  )
  .map((fault) => [{ name: 'ordinary', ...fault, isGone: false, gap: 0 }]);
const month = fc.record({
  faults: fc.array(fc.oneof(outage, ordinary), { minLength: 1, maxLength: 5 }),
  everyMs: fc.constantFrom(30 * SECOND, 2 * MINUTE, 5 * MINUTE),
  attemptMs: fc.constantFrom(0, 10 * SECOND),
  seed: fc.nat(),
});

/** One after the other, with half a day between them. */
function planned(
  plan: readonly (readonly (Omit<Fault, 'from' | 'to'> & { lasts: number; gap: number })[])[],
) {
  let at = HOUR;
  const faults: Fault[] = [];
  for (const parts of plan) {
    for (const { lasts, gap, ...fault } of parts) {
      faults.push({ ...fault, from: at, to: at + lasts });
      at += lasts + gap;
    }
    at += 12 * HOUR;
  }
  return { faults, end: at };
}

/**
 * Counts outages. In an outage at least three consecutive attempts fail. It lasts until that has not happened again for
 * 8 minutes after a success.
 */
class Outages {
  private readonly began: number[] = [];
  private healthySince: number | null = Number.NEGATIVE_INFINITY;

  readonly observe = (at: number, failures: number): void => {
    if (failures === 0) this.healthySince ??= at;
    if (failures < 3) return;
    if (this.healthySince !== null && at - this.healthySince >= HEALTHY_GAP) this.began.push(at);
    this.healthySince = null;
  };

  /** The beginning of the last one that has begun by then. */
  at = (now: number): number | undefined => this.began.findLast((from) => from <= now);
}

it('a consumer causes at most one page in an outage, none without one, and no other issue while its backlog drains after it', () => {
  fc.assert(
    fc.property(month, ({ faults: parts, everyMs, attemptMs, seed }) => {
      const random = seededRandom(seed);
      const outages = new Outages();
      const { faults, end } = planned(parts);
      const consumer = new SimulatedConsumer({
        random: () => random.next(),
        everyMs,
        attemptMs,
        faults,
        onAttempt: outages.observe,
      });
      const opened = issuesUntil(end, consumer);
      const pages = opened.filter(({ kind }) => severityOf(kind) === 'page');
      expect(pages.filter(({ at }) => consumer.faultAt(at - 15 * SECOND)?.name !== 'outage')).toEqual([]);
      const paged = pages.map(({ at }) => outages.at(at));
      expect(paged).toEqual([...new Set(paged)]);
      expect(
        opened.filter(({ kind, at }) => kind === 'falling_behind' && consumer.faultAt(at) === undefined),
      ).toEqual([]);
    }),
    { numRuns: MONTHS },
  );
}, 60_000);
