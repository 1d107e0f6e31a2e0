import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkQuery } from '../check-query.js';
import { hasMore, pageOf, paginated, PageQueryDto, type Page } from './page.dto.js';

/** The page of a query, or its invalid parameters. */
function read(query: object): Page | string[] {
  const checked = checkQuery(PageQueryDto, query);
  return checked.ok ? pageOf(checked.value) : checked.faults.map(({ field }) => field);
}

describe('PageQueryDto', () => {
  it.each([
    [{}, { offset: 0, limit: 100 }],
    [
      { offset: '0', limit: '1' },
      { offset: 0, limit: 1 },
    ],
    [{ offset: '007' }, { offset: 7, limit: 100 }],
    [{ limit: '1000' }, { offset: 0, limit: 1_000 }],
    [{ offset: '9007199254739991' }, { offset: 9_007_199_254_739_991, limit: 100 }],
  ])('reads the query %j as the page %j', (query, page) => {
    expect(read(query)).toEqual(page);
  });

  it.each(['', ' 1', '-1', '+1', '1.0', '1e2', '0x1', '١', 'NaN', '9'.repeat(17), 1, null, ['1', '2'], {}])(
    'refuses %j as offset and as limit of a page',
    (value) => {
      expect(read({ offset: value })).toEqual(['offset']);
      expect(read({ limit: value })).toEqual(['limit']);
      expect(read({ offset: value, limit: value })).toEqual(['offset', 'limit']);
    },
  );

  it.each([
    ['limit', '0'],
    ['limit', '1001'],
    ['offset', '9007199254739992'],
    ['page', '1'],
    ['valueOf', '1'],
  ])('refuses the page parameter %s=%s', (name, value) => {
    expect(read({ [name]: value })).toEqual([name]);
  });

  it('accepts a page query without a prototype', () => {
    expect(read(Object.assign(Object.create(null), { limit: '5' }))).toEqual({ offset: 0, limit: 5 });
  });
});

describe('paginated', () => {
  it('names the array of a page after its resource', () => {
    expect(paginated('events', ['a', 'b', 'c'], { offset: 10, limit: 2 })).toEqual({
      events: ['a', 'b'],
      pagination: { offset: '12', moreRecords: true },
    });
  });

  it.each([
    [[], { offset: '10', moreRecords: false }],
    [['a'], { offset: '11', moreRecords: false }],
    [['a', 'b'], { offset: '12', moreRecords: false }],
  ])('reports no more records after the last page: %j', (rows, pagination) => {
    expect(paginated('events', rows, { offset: 10, limit: 2 })).toEqual({ events: rows, pagination });
  });

  it('returns every record once over all pages for any limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer(), { maxLength: 50 }),
        fc.integer({ min: 1, max: 20 }),
        (all, limit) => {
          const seen: number[] = [];
          for (let offset = 0, more = true; more;) {
            const rows = all.slice(offset, offset + limit + 1);
            const { records, pagination } = paginated('records', rows, { offset, limit });
            seen.push(...records);
            offset = Number(pagination.offset);
            more = hasMore(pagination);
          }
          expect(seen).toEqual(all);
        },
      ),
    );
  });
});

describe('hasMore', () => {
  it.each([
    [{ moreRecords: true }, true],
    [{ moreRecords: false }, false],
    [{ moreResults: true }, true],
    [{ moreRecords: false, moreResults: true }, false],
    [{}, false],
  ])('hasMore reads %j as %j', (pagination, more) => {
    expect(hasMore(pagination)).toBe(more);
  });
});
