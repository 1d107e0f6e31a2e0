import { describe, expect, it } from '@jest/globals';
import { axisTicks, fromFirstEvent, isAlone, isIdle, outageSpans, type HistoryRow } from './history-rows';

const row = (at: number, latencyP50Ms: number | null = null): HistoryRow => ({
  at: new Date(at).toISOString(),
  accepted: 0,
  delivered: 0,
  dead: 0,
  attempts: 0,
  failedAttempts: 0,
  latencyP50Ms,
  latencyP95Ms: null,
});
const MINUTE_MS = 60_000;
const rows = (from: string, minutes: number, every = 1): HistoryRow[] =>
  Array.from({ length: minutes / every }, (_, index) => row(Date.parse(from) + index * every * MINUTE_MS));

describe('time axis of a chart', () => {
  const ticks = (...args: Parameters<typeof rows>) => [...axisTicks(rows(...args), 'UTC').values()];

  it('labels the time axis of a day with hours, and midnight with the date', () => {
    expect(ticks('2026-11-21T04:48:00Z', 1_440)).toEqual([
      '06:00',
      '09:00',
      '12:00',
      '15:00',
      '18:00',
      '21:00',
      '22 Nov',
      '03:00',
    ]);
  });

  it('labels the time axis of an hour with minutes, of six hours with hours, of a week with days', () => {
    expect(ticks('2026-11-22T04:48:00Z', 60)).toEqual(['04:50', '05:00', '05:10', '05:20', '05:30', '05:40']);
    expect(ticks('2026-11-22T04:48:00Z', 360)).toEqual([
      '05:00',
      '06:00',
      '07:00',
      '08:00',
      '09:00',
      '10:00',
    ]);
    expect(ticks('2026-11-15T04:48:00Z', 10_080, 8)).toEqual([
      '16 Nov',
      '17 Nov',
      '18 Nov',
      '19 Nov',
      '20 Nov',
      '21 Nov',
      '22 Nov',
    ]);
  });

  it('labels the time axis in the chosen zone', () => {
    const local = axisTicks(rows('2026-11-22T04:30:00Z', 1_440), 'America/New_York');
    expect([...local].slice(0, 2)).toEqual([
      ['2026-11-22T05:00:00.000Z', '22 Nov'],
      ['2026-11-22T08:00:00.000Z', '03:00'],
    ]);
  });

  it('shows no axis labels without points', () => expect(axisTicks([], 'UTC').size).toBe(0));
});

it('finds chart points without neighbours, which a line would not show', () => {
  const some = [null, 5, null, 7, 8].map((ms, index) => row(index * MINUTE_MS, ms));
  expect(some.map((_, index) => isAlone(some, index, 'latencyP50Ms'))).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
});

describe('range of a chart', () => {
  const some = [0, 0, 0, 4, 0, 7].map((accepted, index) => ({ ...row(index * MINUTE_MS), accepted }));
  const at = (minutes: number): string => new Date(minutes * MINUTE_MS).toISOString();

  it('begins one step before the first event, and is whole without events', () => {
    expect(fromFirstEvent(some, isIdle).map((one) => one.at)).toEqual([2, 3, 4, 5].map(at));
    const idle = some.slice(0, 3);
    expect(fromFirstEvent(idle, isIdle)).toEqual(idle);
  });

  it('marks the outages within it by the steps in which they begin and end', () => {
    const outages = [
      { from: at(-9), to: at(-5) },
      { from: at(-1), to: at(1.5) },
      { from: at(4.5), to: null },
    ];
    expect(outageSpans(some, outages)).toEqual([
      { ...outages[1], x1: at(0), x2: at(1), isLate: false },
      { ...outages[2], x1: at(4), x2: at(5), isLate: false },
    ]);
  });

  it('labels a few minutes with every minute', () =>
    expect([...axisTicks(rows('2026-11-22T04:48:00Z', 4), 'UTC').values()]).toEqual([
      '04:49',
      '04:50',
      '04:51',
    ]));
});
