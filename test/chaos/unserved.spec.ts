import { describe, expect, test } from 'vitest';
import { acceptedEvent, arrival } from './observation-examples.js';
import { unserved, type Unserved, type UnservedEvidence } from './unserved.js';

const LIMITS = { usualMs: 2_000, takeoverMs: 10_000 };

const measure = (given: Partial<UnservedEvidence>): Unserved =>
  unserved({
    accepted: [],
    arrivals: [],
    prompt: new Set(['acme']),
    takeovers: [],
    limits: LIMITS,
    ...given,
  });

const accept = (id: string, acceptedAtMs: number) => acceptedEvent(id, { acceptedAtMs });
const post = (id: string, beganAtMs: number) => arrival(id, { beganAtMs });

describe('time without a session', () => {
  test('a consumer waits from the acceptance of its delivery to the next POST', () => {
    const found = measure({ accepted: [accept('a', 100)], arrivals: [post('a', 1_600)] });
    expect(found).toEqual({ longestMs: 1_500, longestTakeoverMs: 0, tooLong: [] });
  });

  test('a consumer with a backlog waits from its last POST, and not at all after the backlog', () => {
    const found = measure({
      accepted: [accept('a', 0), accept('b', 0), accept('c', 60_000)],
      arrivals: [post('a', 100), post('b', 900), post('c', 60_050)],
    });
    expect(found.longestMs).toBe(800);
  });

  test('a wait beyond the limit is a violation, and within a takeover has the limit of takeovers', () => {
    const late = { accepted: [accept('a', 0)], arrivals: [post('a', 6_000)] };
    expect(measure(late).tooLong).toEqual(['acme waited 6000 ms from 1970-01-01T00:00:00.000Z']);
    const takeovers = [{ fromMs: 1_000, untilMs: 11_000 }];
    expect(measure({ ...late, takeovers })).toEqual({ longestMs: 0, longestTakeoverMs: 6_000, tooLong: [] });
    expect(measure({ ...late, takeovers, limits: { ...LIMITS, takeoverMs: 5_000 } }).tooLong).toHaveLength(1);
  });

  test('without limits a long wait is measured and no violation', () => {
    const found = measure({ accepted: [accept('a', 0)], arrivals: [post('a', 6_000)], limits: null });
    expect(found).toEqual({ longestMs: 6_000, longestTakeoverMs: 0, tooLong: [] });
  });
});
