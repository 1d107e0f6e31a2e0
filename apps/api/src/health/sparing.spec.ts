import { describe, expect, it } from '@jest/globals';
import { Sparing } from './sparing.js';

describe('what costs much', () => {
  it('an answer is kept for twenty times as long as it took, and concurrent callers share it', async () => {
    let now = 0;
    let asked = 0;
    const sparing = new Sparing(
      () => {
        asked += 1;
        now += 500;
        return Promise.resolve(asked);
      },
      () => now,
    );
    expect(await Promise.all([sparing.get(), sparing.get()])).toEqual([1, 1]);
    now += 9_999;
    expect(await sparing.get()).toBe(1);
    now += 1;
    expect(await sparing.get()).toBe(2);
  });

  it('an instant answer is kept for a second; a failed first one is not kept', async () => {
    let now = 0;
    const answers = [
      () => Promise.reject(new Error('away')),
      () => Promise.resolve('first'),
      () => Promise.reject(new Error('away again')),
      () => Promise.resolve('second'),
    ];
    const sparing = new Sparing(
      () => answers.shift()?.() ?? Promise.reject(new Error('asked too often')),
      () => now,
    );
    await expect(sparing.get()).rejects.toThrow('away');
    expect(await sparing.get()).toBe('first');
    now = 999;
    expect(await sparing.get()).toBe('first');
    now = 1_000;
    expect(await sparing.get()).toBe('first');
    now = 2_000;
    expect(await sparing.get()).toBe('second');
  });
});
