import { describe, expect, it } from '@jest/globals';
import { OUTCOMES } from '#libs/contracts';
import { asksForPause } from './asks-for-pause.js';
import { circuitMustOpen, nextProbeDelayMs } from './circuit.js';
import { decide } from './decide.js';
import { DEFAULT_RETRY_SCHEDULE_MS } from './retry-schedule.js';

const now = new Date('2026-11-21T08:00:00.000Z');
const facts = { schedule: DEFAULT_RETRY_SCHEDULE_MS, now, random: 0.5, retryAfterMs: null };
const failures = OUTCOMES.filter((outcome) => outcome !== 'acknowledged');

describe('decide', () => {
  it.each([1, 13, 14])('delivers on acknowledgement, at attempt %i too', (attempt) => {
    expect(decide({ ...facts, outcome: 'acknowledged', attempt })).toEqual({ kind: 'delivered' });
  });

  it.each(failures)('tries again after %s', (outcome) => {
    expect(decide({ ...facts, outcome, attempt: 1 })).toEqual({
      kind: 'retry',
      at: new Date('2026-11-21T08:00:05.000Z'),
      delayMs: 5_000,
    });
  });

  it.each(failures)('gives up after the 13th %s', (outcome) => {
    expect(decide({ ...facts, outcome, attempt: 12 }).kind).toBe('retry');
    expect(decide({ ...facts, outcome, attempt: 13 })).toEqual({ kind: 'dead', reason: 'schedule_used_up' });
  });

  it('waits as long as the consumer asks', () => {
    const decision = decide({ ...facts, outcome: 'http_status', attempt: 1, retryAfterMs: 90_000 });
    expect(decision).toEqual({ kind: 'retry', at: new Date('2026-11-21T08:01:30.000Z'), delayMs: 90_000 });
  });
});

describe('asksForPause', () => {
  it('hears 410 and nothing else', () => {
    const statuses = Array.from({ length: 600 }, (_, status) => status);
    expect(statuses.filter(asksForPause)).toEqual([410]);
    expect(asksForPause(null)).toBe(false);
  });
});

describe('the circuit', () => {
  const run = {
    failures: 10,
    deliveries: 3,
    firstAt: new Date('2026-11-21T07:59:00.000Z'),
    lastAt: now,
  };

  it('opens after 10 failures of 3 deliveries within a minute or more', () => {
    expect(circuitMustOpen(run)).toBe(true);
  });

  it.each([{ failures: 9 }, { deliveries: 2 }, { firstAt: new Date('2026-11-21T07:59:00.001Z') }])(
    'stays closed with %p',
    (less) => {
      expect(circuitMustOpen({ ...run, ...less })).toBe(false);
    },
  );

  it('probes after 30 s, then twice as long each time, at most 15 min', () => {
    const waitsS = Array.from({ length: 8 }, (_, failed) => nextProbeDelayMs(failed) / 1_000);
    expect(waitsS).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
    expect(nextProbeDelayMs(100_000)).toBe(900_000);
  });
});
