import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunksOf } from './chunks.js';

const KIB = 1_024;
const listed = (sizes: readonly number[]) => sizes.map((bytes, index) => ({ id: String(index), bytes }));
const counts = (sizes: readonly number[]): number[] => chunksOf(listed(sizes)).map((chunk) => chunk.length);

describe('chunksOf', () => {
  it.each([
    ['no record', [], []],
    ['at most 64 small records', Array<number>(130).fill(0), [64, 64, 2]],
    ['exactly 256 KiB', [128 * KIB, 128 * KIB, 1], [2, 1]],
    ['a record that is larger than a chunk', [1, 300 * KIB, 1], [1, 1, 1]],
  ])('splits a page into chunks: %s', (_what, sizes, expected) => {
    expect(counts(sizes)).toEqual(expected);
  });

  it('splits a page into chunks with every record once, in order, within the limits', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 * KIB }), { maxLength: 300 }), (sizes) => {
        const chunks = chunksOf(listed(sizes));
        expect(chunks.flat()).toEqual(listed(sizes).map(({ id }) => id));
        for (const chunk of chunks) {
          const bytes = chunk.reduce((sum, id) => sum + (sizes[Number(id)] ?? 0), 0);
          expect(chunk.length === 1 || (chunk.length <= 64 && bytes <= 256 * KIB)).toBe(true);
          expect(chunk.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});
