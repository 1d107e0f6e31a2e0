import { describe, expect, test } from 'vitest';
import { StopWaitingError, waitUntil } from './wait-until.js';

describe('waitUntil', () => {
  test('waitUntil returns the first truthy value', async () => {
    let asked = 0;
    const value = await waitUntil(() => (++asked < 3 ? undefined : 'there'), {
      what: 'it',
      everyMs: 1,
    });
    expect([value, asked]).toEqual(['there', 3]);
  });

  test('waitUntil reports what it waited for and the last value when the deadline passes', async () => {
    const wait = waitUntil(() => 0, { deadlineMs: 30, what: 'two deliveries', everyMs: 5 });
    await expect(wait).rejects.toThrow('Waited 30 ms in vain for two deliveries; last value: 0');
  });

  test('waitUntil checks again after an error and reports the last error', async () => {
    let asked = 0;
    const wait = waitUntil(
      () => {
        throw new Error(`refused ${++asked > 1 ? 'again' : 'once'}`);
      },
      { deadlineMs: 1_000, what: 'an answer', everyMs: 5 },
    );
    await expect(wait).rejects.toThrow(
      'Waited 1000 ms in vain for an answer; last error: Error: refused again',
    );
  });

  test('waitUntil stops at once when the check reports that success is impossible', async () => {
    const wait = waitUntil(() => Promise.reject(new StopWaitingError('the process has exited')), {
      deadlineMs: 60_000,
      what: 'readiness',
    });
    await expect(wait).rejects.toThrow('the process has exited');
  });

  test('waitUntil does not wait longer than its deadline for a check that never returns', async () => {
    const wait = waitUntil(() => new Promise<boolean>(() => {}), { deadlineMs: 20, what: 'an answer' });
    await expect(wait).rejects.toThrow('the check has not returned once');
  });
});
