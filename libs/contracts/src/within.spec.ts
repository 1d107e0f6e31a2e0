import { describe, expect, it } from '@jest/globals';
import { within } from './within.js';

const never = new Promise<string>(() => undefined);

describe('within', () => {
  it('returns the value of a promise that resolves in time', async () => {
    expect(await within(60_000, Promise.resolve('done'))).toBe('done');
  });

  it('throws the error of a promise that rejects in time', async () => {
    await expect(within(60_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  });

  it('returns undefined, or the caller’s value, when the time has passed', async () => {
    expect(await within(1, never)).toBeUndefined();
    expect(await within(1, never, () => 'late')).toBe('late');
  });

  it('throws the caller’s error when the time has passed', async () => {
    const late = (): never => {
      throw new Error('no answer in time');
    };
    await expect(within(1, never, late)).rejects.toThrow('no answer in time');
  });
});
