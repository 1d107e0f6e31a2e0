import { DatabaseAwayError, type AttemptResult } from '#libs/database';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { persist } from './persist.js';

const RESULT: AttemptResult = {
  deliveryId: '0199c2f2-7b5e-7c3a-8f00-000000000001',
  lease: 1,
  lane: null,
  outcome: 'http_status',
  httpStatus: 500,
  detail: 'answered 500',
  startedAt: new Date(0),
  durationMs: 5,
  url: 'https://consumer.example/hook',
  credentialVersion: 1,
  requestHeaders: { 'x-timestamp': '1' },
  responseHeaders: { server: 'odd' },
  responseBody: 'odd',
  responseTruncated: false,
  clockSkewMs: null,
  next: { retryInMs: 5_000 },
};

const coded = (code: string): Error => Object.assign(new Error(`SQLSTATE ${code}`), { code });

describe('persist', () => {
  const away = new DatabaseAwayError('away');
  const onFault = jest.fn();
  const persisting = (faults: readonly Error[], signal = new AbortController().signal) => {
    const given: AttemptResult[] = [];
    const answer = persist(
      (result) => {
        given.push(result);
        const fault = faults[given.length - 1];
        return fault === undefined ? Promise.resolve('recorded') : Promise.reject(fault);
      },
      RESULT,
      { signal, onFault },
    );
    return { given, answer };
  };

  beforeEach(() => {
    onFault.mockClear();
  });

  it.each([away, coded('40P01'), coded('40001')])('repeats after %s until it is recorded', async (fault) => {
    expect(await persisting([fault, fault]).answer).toBe('recorded');
    expect(onFault).toHaveBeenCalledTimes(2);
  });

  it('does not repeat a fault that waiting does not mend', async () => {
    await expect(persisting([new Error('a bug')]).answer).rejects.toThrow('a bug');
    expect(onFault).toHaveBeenCalledTimes(1);
  });

  it('records without the answer what the database refuses to hold, once', async () => {
    const { given, answer } = persisting([coded('22021')]);
    expect(await answer).toBe('recorded');
    expect(given[1]).toMatchObject({ outcome: 'http_status', responseHeaders: null, responseBody: null });
    await expect(persisting([coded('22021'), coded('22021')]).answer).rejects.toThrow('22021');
  });

  it('ends with the fault when the process stops', async () => {
    const stopping = new AbortController();
    const { answer } = persisting(
      Array.from({ length: 1_000 }, () => away),
      stopping.signal,
    );
    stopping.abort();
    await expect(answer).rejects.toBe(away);
  });
});
