import { describe, expect, it } from '@jest/globals';
import type { Filter } from '../../tables/filter-bar';
import type { Draft } from '../../tables/typed-filter';
import type { FilterName } from './delivery-filters';
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
  it('allows an action when fields, address and list mean the same', () => {
    expect(why({})).toBeNull();
  });

  it('names the field that has half a date and time, before all else', () => {
    const drafts: [FilterName, Draft][] = [
      ['paymentId', 'typing'],
      ['to', 'incomplete'],
    ];
    expect(why({ drafts, list: 'failed' })).toMatch(/^“Accepted before” is not a complete date and time/);
  });

  it('waits for a text that does not apply yet, and for a list of another filter', () => {
    expect(why({ drafts: [['paymentId', 'typing']] })).toMatch(/^Loading/);
    expect(why({ list: 'loading' })).toMatch(/^Loading/);
  });

  it('refuses a value in the address that means nothing, and a filter that the api refuses', () => {
    expect(why({ leftOut: ['paymentId'] })).toMatch(/unknown value for “Payment”/);
    expect(why({ list: 'failed' })).toMatch(/cannot be read/);
  });
});
