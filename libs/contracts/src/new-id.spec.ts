import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { validate, version } from 'uuid';
import { newId } from './new-id.js';

const millisecondsOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

afterEach(() => {
  jest.restoreAllMocks();
});

describe('newId', () => {
  it('makes a UUIDv7 with the current time', () => {
    const before = Date.now();
    const id = newId();
    expect([validate(id), version(id)]).toEqual([true, 7]);
    expect(millisecondsOf(id)).toBeGreaterThanOrEqual(before);
    expect(millisecondsOf(id)).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('makes ascending ids within a millisecond and after the clock is set back', () => {
    const now = Date.now() + 1_000;
    let calls = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => (calls++ % 3 === 0 ? now - 5_000 : now));
    const ids = Array.from({ length: 3_000 }, () => newId());
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });
});
