import { DatabaseAwayError } from '#libs/database';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { persist } from './persist.js';

describe('persist', () => {
  const away = new DatabaseAwayError('away');
  const onFault = jest.fn();
  const failing = (times: number, error: Error = away) => {
    let calls = 0;
    return () => ((calls += 1) > times ? Promise.resolve('recorded') : Promise.reject(error));
  };

  beforeEach(() => {
    onFault.mockClear();
  });

  it('repeats until PostgreSQL is back', async () => {
    expect(await persist(failing(2), new AbortController().signal, onFault)).toBe('recorded');
    expect(onFault).toHaveBeenCalledTimes(2);
  });

  it('does not repeat a fault that waiting does not mend', async () => {
    await expect(
      persist(failing(1, new Error('a bug')), new AbortController().signal, onFault),
    ).rejects.toThrow('a bug');
    expect(onFault).toHaveBeenCalledTimes(1);
  });

  it('ends with the fault when the process stops', async () => {
    const stopping = new AbortController();
    const persisting = persist(failing(1_000), stopping.signal, onFault);
    stopping.abort();
    await expect(persisting).rejects.toBe(away);
  });
});
