import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunksOf } from './chunks.js';

const KIB = 1_024;
const listed = (sizes: readonly number[]) => sizes.map((bytes, index) => ({ id: String(index), bytes }));
const counts = (sizes: readonly number[]): number[] => chunksOf(listed(sizes)).map((chunk) => chunk.length);

describe('a page is read in chunks that', () => {
  it.each([
    ['none, of an empty page', [], []],
    ['64 small records', Array<number>(130).fill(0), [64, 64, 2]],
    ['256 KiB exactly', [128 * KIB, 128 * KIB, 1], [2, 1]],
    ['one record that is larger than a chunk', [1, 300 * KIB, 1], [1, 1, 1]],
  ])('hold %s', (_what, sizes, expected) => {
    expect(counts(sizes)).toEqual(expected);
  });

  it('hold every record once, in its order, and no more than is allowed', () => {
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
