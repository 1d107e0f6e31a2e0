import { describe, expect, it } from '@jest/globals';
import { backlogTrend } from './backlog.js';

const trendOf = (waiting: number, inPerMinute: number, outPerMinute: number) =>
  backlogTrend({ waiting, inPerMinute, outPerMinute });

describe('backlogTrend', () => {
  it('computes when a shrinking backlog will have drained', () => {
    expect(trendOf(720, 40, 100)).toEqual({ trend: 'draining', drainsInSeconds: 720 });
    expect(trendOf(720, 0, 1)).toEqual({ trend: 'draining', drainsInSeconds: 43_200 });
  });

  it.each([
    ['no delivery waits', [0, 100, 0], 'empty'],
    ['more deliveries arrive than leave', [10, 100, 60], 'growing'],
    ['the rates differ by less than a twentieth', [10, 100, 96], 'steady'],
    ['the rates differ by less than one a minute', [10, 0.2, 1.1], 'steady'],
    ['no delivery arrives or leaves', [10, 0, 0], 'steady'],
  ] as const)('reports the trend of a backlog when %s', (_, [waiting, inPerMinute, outPerMinute], trend) => {
    expect(trendOf(waiting, inPerMinute, outPerMinute)).toEqual({ trend, drainsInSeconds: null });
  });
});
