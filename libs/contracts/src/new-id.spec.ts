import { describe, expect, it } from '@jest/globals';
import { validate, version } from 'uuid';
import { newId } from './new-id.js';

const millisecondsOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('newId', () => {
  it('makes UUIDv7 of the moment', () => {
    const before = Date.now();
    const id = newId();
    expect([validate(id), version(id)]).toEqual([true, 7]);
    expect(millisecondsOf(id)).toBeGreaterThanOrEqual(before);
    expect(millisecondsOf(id)).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('counts on within a millisecond, and when the clock is set back', () => {
    const now = Date.now() + 1_000;
    const ids = Array.from({ length: 3_000 }, (_, index) => newId(index % 3 === 0 ? now - 5_000 : now));
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });
});
