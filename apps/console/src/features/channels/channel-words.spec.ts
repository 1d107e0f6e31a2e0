import { describe, expect, it } from '@jest/globals';
import { filterInWords, hoursInWords, type Channel } from './channel-words';

describe('channels in words', () => {
  it('a filter names its kinds of issues, its severities and its consumers', () => {
    const severities: Channel['severities'] = ['page', 'ticket', 'info'];
    const nameOf = (id: string): string => `<${id}>`;
    const labelOf = (kind: string): string => kind.toUpperCase();
    expect(filterInWords({ issueKinds: null, severities, consumerIds: null }, labelOf, nameOf)).toBe(
      'All issues',
    );
    expect(
      filterInWords({ issueKinds: null, severities: ['page', 'ticket'], consumerIds: null }, labelOf, nameOf),
    ).toBe('All issues of severity page or ticket');
    expect(
      filterInWords(
        { issueKinds: ['down', 'degraded'], severities, consumerIds: ['a', 'b'] },
        labelOf,
        nameOf,
      ),
    ).toBe('DOWN, DEGRADED, of <a>, <b>');
  });

  it('hours name their days, times and time zone', () => {
    const hours = { timeZone: 'UTC', from: '08:00', to: '18:00' };
    expect(hoursInWords(null)).toBe('At any hour');
    expect(hoursInWords({ ...hours, days: [1, 5] })).toBe('Mon, Fri, 08:00 to 18:00 (UTC)');
    expect(hoursInWords({ ...hours, days: [1, 2, 3, 4, 5, 6, 7] })).toBe('Daily, 08:00 to 18:00 (UTC)');
  });
});
