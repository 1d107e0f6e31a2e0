import { expect, it } from '@jest/globals';
import { dayOf } from '../../../formats/moment-in-words';
import { sumsBy } from './last-days-sums';

const point = (at: string, delivered: number) => ({
  at,
  accepted: 1,
  delivered,
  dead: 0,
  attempts: 0,
  failedAttempts: 2,
  latencyP50Ms: null,
  latencyP95Ms: null,
});
const POINTS = [
  point('2026-11-22T03:50:00.000Z', 1),
  point('2026-11-22T04:00:00.000Z', 2),
  point('2026-11-22T04:50:00.000Z', 3),
  point('2026-11-23T04:50:00.000Z', 4),
];

it('sums the points of each hour', () => {
  expect(sumsBy(POINTS, (at) => at.toISOString().slice(0, 13))).toMatchObject([
    { at: '2026-11-22T03:50:00.000Z', delivered: 1, failedAttempts: 2 },
    { at: '2026-11-22T04:00:00.000Z', delivered: 5, failedAttempts: 4 },
    { at: '2026-11-23T04:50:00.000Z', delivered: 4 },
  ]);
});

it('sums the points of each day in the chosen zone', () => {
  const delivered = (zone: string) => sumsBy(POINTS, (at) => dayOf(at, zone)).map((day) => day.delivered);
  expect(delivered('UTC')).toEqual([6, 4]);
  expect(delivered('America/Halifax')).toEqual([1, 5, 4]);
});
