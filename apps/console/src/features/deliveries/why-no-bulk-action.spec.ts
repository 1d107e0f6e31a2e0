import { describe, expect, it } from '@jest/globals';
import type { Filter } from '../../tables/filter';
import type { Draft } from '../../tables/typed-filter';
import type { FilterName } from '../delivery-filter/delivery-fields';
import { whyNoBulkAction } from './why-no-bulk-action';

const FILTERS: readonly Filter<FilterName>[] = [
  { kind: 'moment', name: 'to', label: 'Accepted before' },
  { kind: 'text', name: 'paymentId', label: 'Payment' },
];
const why = (given: {
  drafts?: [FilterName, Draft][];
  leftOut?: FilterName[];
  list?: 'current' | 'loading' | 'failed';
}): string | null =>
  whyNoBulkAction({
    filters: FILTERS,
    drafts: new Map(given.drafts ?? []),
    leftOut: given.leftOut ?? [],
    list: given.list ?? 'current',
  });

describe('whyNoBulkAction', () => {
  it('allows a bulk action when fields, address and list agree', () => {
    expect(why({})).toBeNull();
  });

  it('reports an incomplete date and time first as the reason that blocks a bulk action', () => {
    const drafts: [FilterName, Draft][] = [
      ['paymentId', 'typing'],
      ['to', 'incomplete'],
    ];
    expect(why({ drafts, list: 'failed' })).toMatch(/^“Accepted before” is not a complete date and time/);
  });

  it('blocks a bulk action while a typed filter or the list is pending', () => {
    expect(why({ drafts: [['paymentId', 'typing']] })).toMatch(/^Loading/);
    expect(why({ list: 'loading' })).toMatch(/^Loading/);
  });

  it('blocks a bulk action for an unknown filter value and for a filter that the api refuses', () => {
    expect(why({ leftOut: ['paymentId'] })).toMatch(/unknown value for “Payment”/);
    expect(why({ list: 'failed' })).toMatch(/cannot be read/);
  });
});
