import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { SEVERITIES, type IssueKind } from '#libs/contracts';
import { seededRandom } from '#test/chaos/seeded-random';
import { severityOf } from './severity.js';
import { SimulatedConsumer, type Fault } from './testing/simulated-consumer.js';
import { issuesUntil } from './testing/simulated-issues.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
const CONSUMERS = 10;

/** A sort of fault of a consumer: how long it lasts, and which share of the attempts fails. */
interface Sort {
  readonly name: string;
  readonly lasts: readonly [number, number];
  readonly fails: readonly [number, number];
  /** Every so many consumers have such faults, each so many times in the month. */
  readonly every: number;
  readonly times: number;
  readonly isGone?: boolean;
}

const ORDINARY: readonly Sort[] = [
  {
    name: 'Deploy: every connection is refused for 30 to 90 s',
    lasts: [30 * SECOND, 90 * SECOND],
    fails: [1, 1],
    every: 1,
    times: 12,
  },
  {
    name: 'Burst of 503 for 20 s to 4 min, for 40 to 100 % of the attempts',
    lasts: [20 * SECOND, 4 * MINUTE],
    fails: [0.4, 1],
    every: 1,
    times: 12,
  },
  {
    name: 'Timeouts for 5 to 30 min, of 5 to 35 % of the attempts',
    lasts: [5 * MINUTE, 30 * MINUTE],
    fails: [0.05, 0.35],
    every: 1,
    times: 12,
  },
];
const OUTAGES: readonly Sort[] = [
  {
    name: 'Outage: every attempt fails for 20 min to 6 h',
    lasts: [20 * MINUTE, 6 * HOUR],
    fails: [1, 1],
    every: 2,
    times: 1,
  },
  {
    name: 'Outage: 97 to 99 % of the attempts fail for 20 min to 6 h',
    lasts: [20 * MINUTE, 6 * HOUR],
    fails: [0.97, 0.99],
    every: 3,
    times: 1,
  },
  {
    name: 'Outage: the consumer answers 410 Gone for 20 min to 6 h',
    lasts: [20 * MINUTE, 6 * HOUR],
    fails: [1, 1],
    every: 4,
    times: 1,
    isGone: true,
  },
];

const random = seededRandom(28);
const between = ([low, high]: readonly [number, number]): number => low + random.next() * (high - low);

/** The month of one consumer: faults at random times, with two hours between them. */
function planned(index: number): Fault[] {
  const faults: Fault[] = [];
  for (const { name, lasts, fails, every, times, isGone = false } of [...OUTAGES, ...ORDINARY])
    for (let left = index % every === 0 ? times : 0; left > 0;) {
      const from = between([HOUR, MONTH - 9 * HOUR]);
      const fault = { name, from, to: from + between(lasts), share: between(fails), isGone };
      if (faults.some((one) => fault.from < one.to + 2 * HOUR && one.from < fault.to + 2 * HOUR)) continue;
      faults.push(fault);
      left -= 1;
    }
  return faults;
}

interface Announced {
  readonly kind: IssueKind;
  /** The last fault that began before it. */
  readonly fault: Fault | undefined;
}

function issuesOfMonth(consumer: SimulatedConsumer): Announced[] {
  return issuesUntil(MONTH, consumer).map(({ kind, at }) => {
    const begun = consumer.faults.filter(({ from }) => from <= at);
    return { kind, fault: begun.toSorted((one, other) => other.from - one.from)[0] };
  });
}

it('a month of ordinary faults and outages opens at most one page for each outage and none without one, and as many issues as the documentation’s table says', () => {
  const consumers = Array.from({ length: CONSUMERS }, (_, index) => {
    // Half of them have few deliveries, and some give up after a quarter of an hour.
    const everyMs = index % 2 === 0 ? 30 * SECOND : 5 * MINUTE;
    const schedule = index % 5 === 0 ? [5, 30, 120, 600].map((seconds) => seconds * SECOND) : undefined;
    const certificates = index === 0 ? [{ use: 'client' as const, notAfter: new Date(MONTH + 9 * DAY) }] : [];
    return new SimulatedConsumer({
      random: () => random.next(),
      everyMs,
      faults: planned(index),
      ...(schedule && { schedule }),
      certificates,
    });
  });
  const announced = consumers.flatMap(issuesOfMonth);
  const faults = consumers.flatMap((consumer) => consumer.faults);
  const ofFaults = announced.filter(({ kind }) => severityOf(kind) !== 'info');

  const row = (name: string, times: number, of: readonly Announced[]): string => {
    const counts = SEVERITIES.map((wanted) => of.filter(({ kind }) => severityOf(kind) === wanted).length);
    return `| ${[name, times, ...counts].join(' | ')} |`;
  };
  const rows = [
    ...[...ORDINARY, ...OUTAGES].map(({ name }) =>
      row(
        name,
        faults.filter((fault) => fault.name === name).length,
        ofFaults.filter(({ fault }) => fault?.name === name),
      ),
    ),
    row(
      'A certificate that ends within 30 days',
      1,
      announced.filter((one) => !ofFaults.includes(one)),
    ),
  ];
  const [, table = ''] = readFileSync('docs/issues-and-channels.md', 'utf8').split(
    /^\| a month of 10 consumers .*\n.*\n/m,
  );
  expect(table.split('\n\n')[0]?.split('\n')).toEqual(rows);

  const paged = announced.flatMap(({ kind, fault }) => (severityOf(kind) === 'page' ? [fault] : []));
  const isOutage = (fault: Fault | undefined): boolean => OUTAGES.some(({ name }) => name === fault?.name);
  expect(paged.filter((fault) => !isOutage(fault))).toEqual([]);
  expect(new Set(paged).size).toBe(paged.length);
});
