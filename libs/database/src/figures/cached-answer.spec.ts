import { expect, it } from '@jest/globals';
import { CachedAnswer } from './cached-answer.js';

it('a costly answer is kept for twenty times its duration, and concurrent callers share it', async () => {
  let now = 0;
  let asked = 0;
  const cached = new CachedAnswer(
    () => {
      asked += 1;
      now += 500;
      return Promise.resolve(asked);
    },
    () => now,
  );
  expect(await Promise.all([cached.get(), cached.get()])).toEqual([1, 1]);
  now += 9_999;
  expect(await cached.get()).toBe(1);
  now += 1;
  expect(await cached.get()).toBe(2);
});

it('an instant answer is kept for a second and when its renewal fails; a failed first one is not kept', async () => {
  let now = 0;
  const answers = [
    () => Promise.reject(new Error('unreachable')),
    () => Promise.resolve('first'),
    () => Promise.reject(new Error('unreachable again')),
    () => Promise.resolve('second'),
  ];
  const cached = new CachedAnswer(
    () => answers.shift()?.() ?? Promise.reject(new Error('asked too often')),
    () => now,
  );
  await expect(cached.get()).rejects.toThrow('unreachable');
  expect(await cached.get()).toBe('first');
  now = 999;
  expect(await cached.get()).toBe('first');
  now = 1_000;
  expect(await cached.get()).toBe('first');
  now = 2_000;
  expect(await cached.get()).toBe('second');
});
