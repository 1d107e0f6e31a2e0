import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Pace } from './pace.js';

/** Sends as many requests as the pace allows; each timer fires `lateMs` late. */
function sentBy(pace: Pace, maxPerSecond: number, untilMs: number, lateMs: () => number): number[] {
  const sent: number[] = [];
  let waiting = 0;
  let nowMs = 0;
  while (nowMs < untilMs) {
    for (; pace.capacity(nowMs, maxPerSecond) > 0; waiting += 1) pace.join();
    if (waiting === 0) {
      nowMs += 1;
      continue;
    }
    const waitMs = pace.tryStart(nowMs, maxPerSecond);
    if (waitMs > 0) nowMs += waitMs + lateMs();
    else {
      sent.push(nowMs);
      waiting -= 1;
    }
  }
  return sent;
}

it('the pace allows no more requests per second than maxPerSecond and its tolerance, even with late timers', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 50 }),
      (maxPerSecond, delaysMs) => {
        let timers = 0;
        const sent = sentBy(new Pace(0, null), maxPerSecond, 5_000, () => {
          timers += 1;
          return delaysMs[timers % delaysMs.length] ?? 0;
        });
        for (const [index, atMs] of sent.entries()) {
          const within = sent.slice(index).filter((other) => other < atMs + 1_000).length;
          // The tolerance of 20 ms allows one more request, or those of 20 ms at high rates.
          expect(within).toBeLessThanOrEqual(maxPerSecond + 1 + Math.ceil(maxPerSecond / 50));
        }
      },
    ),
  );
});

it('the pace reaches maxPerSecond when timers are a few milliseconds late', () => {
  const sent = sentBy(new Pace(0, null), 200, 10_000, () => 3);
  expect(sent.length).toBeGreaterThanOrEqual(1_995);
});

it('the pace has the capacity for the requests of the next 250 ms', () => {
  const pace = new Pace(0, null);
  for (let joined = 0; joined < 6; joined += 1) {
    expect(pace.capacity(0, 20)).toBe(6 - joined);
    pace.join();
  }
  expect(pace.capacity(0, 20)).toBe(0);
});

it('the pace continues the rate of the consumer’s former session', () => {
  const pace = new Pace(1_000, 700);
  expect(pace.capacity(1_000, 1)).toBe(0);
  expect(pace.capacity(1_500, 1)).toBe(1);
  pace.join();
  expect(pace.tryStart(1_500, 1)).toBe(200);
  expect(pace.tryStart(1_700, 1)).toBe(0);
  expect(pace.nextSendInMs(1_500)).toBe(1_200);
});
