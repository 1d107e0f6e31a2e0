import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { DatabaseUnavailableError, noteConnectionFault } from './faults.js';
import { MicroBatch } from './micro-batch.js';

/** An error as a connection to PostgreSQL raises it. */
function fault(code: string): Error {
  const error = Object.assign(new Error(`fault ${code}`), { code });
  noteConnectionFault(error);
  return error;
}

describe('MicroBatch', () => {
  it('runs concurrent items in batches, in order, one batch at a time', async () => {
    const calls: number[][] = [];
    let running = 0;
    const batch = new MicroBatch<number, number>(
      async (items) => {
        expect((running += 1)).toBe(1);
        calls.push([...items]);
        await new Promise(setImmediate);
        running -= 1;
        return items.map((item) => item * 2);
      },
      { maxItems: 10 },
    );
    const results = await Promise.all(Array.from({ length: 25 }, (_, index) => batch.add(index)));
    expect(results).toEqual(Array.from({ length: 25 }, (_, index) => index * 2));
    expect(calls.map((call) => call.length)).toEqual([10, 10, 5]);
    expect(calls.flat()).toEqual(Array.from({ length: 25 }, (_, index) => index));
  });

  it('runs large items in calls of at most 2 MiB, and an item beyond that alone', async () => {
    const calls: number[][] = [];
    const run = async (items: readonly number[]): Promise<readonly number[]> => {
      calls.push([...items]);
      return items;
    };
    const batch = new MicroBatch<number, number>(run, { bytesOf: (mebibytes) => mebibytes * 1024 * 1024 });
    await Promise.all([1, 1, 0.5, 3, 1.5].map((item) => batch.add(item)));
    expect(calls).toEqual([[1, 1], [0.5], [3], [1.5]]);
  });

  it('runs a single item in one call', async () => {
    const run = jest.fn(async (items: readonly string[]) => items);
    await new MicroBatch(run).add('a');
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('runs items that may wait together with the next one that may not, or when enough have gathered', async () => {
    const calls: string[][] = [];
    const run = async (items: readonly string[]): Promise<readonly string[]> => {
      calls.push([...items]);
      return items;
    };
    const batch = new MicroBatch(run, { gather: { forMs: 3_600_000, items: 3 } });
    const add = (item: string, mayWait: boolean) => batch.add(item, { mayWait });
    await Promise.all([add('a', true), add('b', false)]);
    await Promise.all(['c', 'd', 'e'].map((item) => add(item, true)));
    expect(calls).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]);
  });

  it('runs an item that may wait after a time, also alone', async () => {
    const batch = new MicroBatch(async (items: readonly string[]) => items, {
      gather: { forMs: 1, items: 3 },
    });
    expect(await batch.add('a', { mayWait: true })).toBe('a');
  });

  it('rejects only the items that the database refuses, at any position', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (refused) => {
        const stored: number[] = [];
        const batch = new MicroBatch<number, number>(async (items) => {
          if (items.some((item) => refused[item] === true)) throw fault('22021');
          stored.push(...items);
          return items;
        });
        const results = await Promise.allSettled(refused.map((_, index) => batch.add(index)));
        expect(results.map((result) => result.status === 'rejected')).toEqual(refused);
        expect(stored).toEqual(refused.flatMap((isRefused, index) => (isRefused ? [] : [index])));
      }),
    );
  });

  it('repeats a batch after a deadlock or serialization failure, and gives up eventually', async () => {
    let tries = 0;
    const deadlock = new MicroBatch<string, string>(async (items) => {
      tries += 1;
      if (tries < 3) throw fault('40P01');
      return items;
    });
    expect(await deadlock.add('a')).toBe('a');
    const failing = new MicroBatch<string, string>(() => Promise.reject(fault('40001')));
    await expect(failing.add('a')).rejects.toThrow('40001');
  });

  it.each(['ECONNREFUSED', '57P01', '08006', '53300'])(
    'reports an unreachable PostgreSQL (%s) after one call, without splitting the batch',
    async (code) => {
      const run = jest.fn((_items: readonly number[]): Promise<number[]> => Promise.reject(fault(code)));
      const batch = new MicroBatch(run);
      const results = await Promise.allSettled([batch.add(1), batch.add(2)]);
      for (const result of results) {
        expect(result.status === 'rejected' && result.reason).toBeInstanceOf(DatabaseUnavailableError);
      }
      expect(run).toHaveBeenCalledTimes(1);
    },
  );
});
