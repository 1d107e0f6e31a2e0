import { expect, test } from 'vitest';
import { isSample, seriesNames, verdictsOf, type Sample, type Series } from '#test/bench/endurance-verdicts';

const SAMPLES = 60;
const TOTALS = { posted: 6_000, notArrived: 0, refused: 0, partitionsMade: 12, partitionsDropped: 10 };

/** A flat run at 100, in which one series has another value in some samples. */
const samplesWith = (changed: Series, value: number, isChanged: (at: number) => boolean): Sample[] =>
  Array.from({ length: SAMPLES }, (_, at) => ({
    ...Object.fromEntries(seriesNames.map((name) => [name, 100])),
    ...(isChanged(at) ? { [changed]: value } : {}),
    second: at * 10,
  })).filter(isSample);

const missed = (samples: readonly Sample[], totals = TOTALS): string[] =>
  verdictsOf(samples, totals)
    .filter(({ isMet }) => !isMet)
    .map(({ name }) => name);

const LATER = (at: number): boolean => at >= 40;
const FIRST_SIXTH = (at: number): boolean => at < 10;
const SPIKES = (at: number): boolean => at % 3 === 0;

test.each([
  ['memory that grows by 6 %', 'memory.api', 106, LATER],
  ['memory that falls by 6 %', 'memory.worker', 94, LATER],
  ['a PostgreSQL process that grows by 6 %', 'memory.backend', 106, LATER],
  ['a statement that takes 26 % longer', 'ms.record', 126, LATER],
  [
    'a table that has one and a half times its size for a moment',
    'size.payments',
    151,
    (at: number) => at === 59,
  ],
] as const)('the endurance run reports %s', (_, series, value, isChanged) => {
  expect(missed(samplesWith(series, value, isChanged))).toEqual([series]);
});

test.each([
  ['memory that grows by 5 %', 'memory.api', 105, LATER],
  ['memory that was lower in the first sixth', 'memory.api', 50, FIRST_SIXTH],
  ['single samples with more memory', 'memory.postgres', 200, SPIKES],
  ['a statement that takes 25 % longer', 'ms.fetch', 125, LATER],
  ['a table that has one and a half times its size', 'size.idempotency_keys', 150, LATER],
  ['a heap with garbage', 'heap.api', 300, LATER],
] as const)('the endurance run accepts %s', (_, series, value, isChanged) => {
  expect(missed(samplesWith(series, value, isChanged))).toEqual([]);
});

test('the endurance run reports events that did not arrive or were refused, and partitions that were not dropped', () => {
  const totals = { ...TOTALS, notArrived: 1, refused: 1, partitionsDropped: 5 };
  expect(missed(samplesWith('backlog', 100, LATER), totals)).toEqual([
    'not arrived',
    'refused',
    'partitions dropped',
  ]);
});
