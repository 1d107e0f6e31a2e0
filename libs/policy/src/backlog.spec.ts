import { describe, expect, it } from '@jest/globals';
import { backlogTrend } from './backlog.js';

const trendOf = (waiting: number, inPerMinute: number, outPerMinute: number) =>
  backlogTrend({ waiting, inPerMinute, outPerMinute });

describe('backlogTrend', () => {
  it('computes when a shrinking backlog has drained', () => {
    expect(trendOf(720, 40, 100)).toEqual({ trend: 'draining', drainsInSeconds: 720 });
    expect(trendOf(720, 0, 1)).toEqual({ trend: 'draining', drainsInSeconds: 43_200 });
  });

  it.each([
    ['nothing waits', [0, 100, 0], 'empty'],
    ['more comes than goes', [10, 100, 60], 'growing'],
    ['the rates are the same but for a twentieth', [10, 100, 96], 'steady'],
    ['the rates differ by less than one a minute', [10, 0.2, 1.1], 'steady'],
    ['nothing comes and nothing goes', [10, 0, 0], 'steady'],
  ] as const)('%s', (_, [waiting, inPerMinute, outPerMinute], trend) => {
    expect(trendOf(waiting, inPerMinute, outPerMinute)).toEqual({ trend, drainsInSeconds: null });
  });
});
