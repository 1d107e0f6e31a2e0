import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '#libs/contracts';
import { consumerHealth, needsAttention, worstFirst } from './consumer-health.js';
import type { FailureCause, HealthFacts } from './health-facts.js';

const NOW = new Date('2025-11-20T12:00:00Z');
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const SECOND = 1_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

const GOOD: HealthFacts = {
  secretFault: null,
  paused: null,
  circuitOpenedAt: null,
  failedProbes: 0,
  failures: 0,
  firstFailureAt: null,
  lastSuccessAt: ago(SECOND),
  attempts: 100,
  failedAttempts: 0,
  failedLately: 0,
  diedLately: 0,
  failingSince: null,
  causes: [],
  oldestFailedAt: null,
  waiting: 0,
  oldestDueAt: null,
  inPerMinute: 0,
  outPerMinute: 0,
  recoveredAt: null,
  dead: { count: 0, oldestAt: null },
  certificates: [],
  isSendingStopped: false,
};
const health = (facts: Partial<HealthFacts>) => consumerHealth({ ...GOOD, ...facts }, NOW);
const stateOf = (facts: Partial<HealthFacts>) => health(facts).state;
const cause = (outcome: Outcome, httpStatus: number | null, count: number, detail = ''): FailureCause => ({
  outcome,
  httpStatus,
  count,
  detail,
  clockSkewMs: null,
});
const failing = (failures: number, forMs = 4 * MINUTE): Partial<HealthFacts> => ({
  failures,
  firstFailureAt: ago(forMs),
  oldestFailedAt: ago(forMs),
});
const paused = (since: Date, byAnswer = false): Partial<HealthFacts> => ({
  paused: { since, reason: 'maintenance', byAnswer },
});
const DOWN: Partial<HealthFacts> = {
  failures: 320,
  firstFailureAt: ago(3 * MINUTE),
  circuitOpenedAt: ago(2 * MINUTE),
  causes: [cause('http_status', 401, 320)],
};

describe('health of a consumer', () => {
  it('reports a consumer as healthy while attempts succeed', () => {
    expect(health({})).toMatchObject({
      state: 'healthy',
      since: null,
      cause: null,
      side: null,
      successShare: 1,
      summary: 'No attempt failed in the last 15 min.',
      advice: 'Nothing to do.',
    });
    expect(health({ attempts: 0 })).toMatchObject({
      successShare: null,
      summary: 'Nothing was sent in the last 15 min.',
    });
    expect(stateOf(failing(2))).toBe('healthy');
  });

  it('reports a consumer as degraded from three consecutive failures, when a delivery still fails after 3 minutes', () => {
    expect(
      health({ ...failing(3), causes: [cause('timeout', null, 2), cause('reset', null, 1)] }),
    ).toMatchObject({
      state: 'degraded',
      since: ago(4 * MINUTE),
      summary: 'The last 3 attempts failed. A delivery has failed for 4 min.',
      cause: { words: '2 of the last 3 attempts failed: no answer in time', count: 2, of: 3 },
      side: 'theirs',
    });
    expect(stateOf(failing(3, 3 * MINUTE))).toBe('healthy');
    expect(stateOf(failing(3, 3 * MINUTE + 1))).toBe('degraded');
    // The dispatcher sends nothing, so the delivery is not late by the consumer's fault.
    expect(stateOf({ ...failing(3), isSendingStopped: true })).toBe('healthy');
  });

  it('reports a consumer as healthy whose failed attempts were all corrected by the next one', () => {
    expect(health({ attempts: 11, failedAttempts: 3, failedLately: 3 })).toMatchObject({
      state: 'healthy',
      summary: '3 of 11 attempts failed in the last 15 min.',
      cause: null,
    });
  });

  it('reports a consumer as degraded whose deliveries have become dead, although none is pending', () => {
    const refused = { failures: 4, firstFailureAt: ago(MINUTE), diedLately: 4 };
    expect(health(refused)).toMatchObject({
      state: 'degraded',
      since: ago(MINUTE),
      summary: 'The last 4 attempts failed.',
    });
  });

  it('reports a consumer as degraded by its share of failures, also when the latest attempt succeeded', () => {
    const oldestFailedAt = ago(20 * MINUTE);
    const everyThird = {
      attempts: 99,
      failedAttempts: 33,
      failedLately: 11,
      failingSince: ago(40 * MINUTE),
      oldestFailedAt,
    };
    expect(health({ ...everyThird, causes: [cause('http_status', 503, 33)] })).toMatchObject({
      state: 'degraded',
      since: oldestFailedAt,
      summary: '33 of 99 attempts failed in the last 15 min (33.3%). A delivery has failed for 20 min.',
      cause: { words: '33 of 99 attempts were answered HTTP 503' },
    });
    expect(stateOf({ attempts: 30, failedAttempts: 3, failedLately: 1, oldestFailedAt })).toBe('degraded');
    expect(stateOf({ attempts: 31, failedAttempts: 3, failedLately: 1, oldestFailedAt })).toBe('healthy');
    expect(stateOf({ attempts: 4, failedAttempts: 2, failedLately: 2, oldestFailedAt })).toBe('healthy');
    // It began to fail 5 minutes ago, although one delivery has failed for longer.
    expect(health({ ...everyThird, failingSince: ago(5 * MINUTE) }).since).toEqual(ago(5 * MINUTE));
    // No attempt failed lately.
    expect(stateOf({ ...everyThird, failedLately: 0 })).toBe('healthy');
  });

  it('reports a consumer as down since the first failure while the circuit is open', () => {
    expect(health(DOWN)).toMatchObject({
      state: 'down',
      since: ago(3 * MINUTE),
      summary:
        'The last 320 attempts failed. Deliveries are held, and one of them is tried every 30 s to 15 min.',
      cause: {
        words: 'The last 320 attempts were answered HTTP 401',
        outcome: 'http_status',
        httpStatus: 401,
      },
      side: 'theirs',
    });
  });

  it('reports a consumer as falling behind by its rates, not only by the age of a delivery', () => {
    const overdue = (ms: number, inPerMinute: number, outPerMinute: number) => ({
      waiting: 600,
      oldestDueAt: ago(ms),
      inPerMinute,
      outPerMinute,
    });
    expect(health(overdue(6 * MINUTE, 100, 60))).toMatchObject({
      state: 'falling_behind',
      trend: 'growing',
      summary: 'The oldest delivery is overdue by 6 min, and the backlog grows by 40 a minute.',
    });
    expect(stateOf(overdue(5 * MINUTE, 100, 60))).toBe('healthy');
    expect(stateOf({ ...overdue(DAY, 100, 60), recoveredAt: ago(MINUTE) })).toBe('healthy');
    expect(stateOf(overdue(5 * MINUTE + 1, 50, 50))).toBe('falling_behind');
    expect(stateOf(overdue(5 * MINUTE, 50, 50))).toBe('healthy');
    expect(stateOf(overdue(DAY, 40, 59))).toBe('falling_behind');
    expect(health(overdue(DAY, 40, 90))).toMatchObject({
      state: 'healthy',
      drainsInSeconds: 720,
      summary: 'Catching up: 600 waiting, the backlog will be empty in about 12 min.',
    });
    expect(stateOf({ ...overdue(DAY, 100, 0), isSendingStopped: true })).toBe('healthy');
  });

  it('reports a pause by a person as planned for 30 days, and a pause after 410 Gone never', () => {
    expect(health(paused(ago(30 * DAY - 1)))).toMatchObject({
      state: 'paused',
      planned: true,
      since: ago(30 * DAY - 1),
      summary: 'Paused: maintenance.',
    });
    expect(health(paused(ago(30 * DAY)))).toMatchObject({
      planned: false,
      summary: 'Paused for 30 days: maintenance.',
    });
    const gone = health(paused(ago(MINUTE), true));
    expect(gone).toMatchObject({ state: 'paused', planned: false });
    expect(gone.summary).toContain('410 Gone');
    // A person paused it and is working on it.
    expect(stateOf({ ...DOWN, ...paused(ago(MINUTE)) })).toBe('paused');
  });

  it('reports broken credentials of a consumer before any other state', () => {
    const broken = { secretFault: { words: 'no key k1', since: ago(DAY) } };
    expect(health({ ...DOWN, ...paused(ago(MINUTE)), ...broken })).toMatchObject({
      state: 'credentials_broken',
      since: ago(DAY),
      side: 'ours',
      cause: null,
      summary: 'Nothing is sent: the credentials cannot be decrypted (no key k1).',
    });
  });
});

describe('notices and dead deliveries', () => {
  it('advises on dead deliveries of a healthy consumer', () => {
    const recovered = health({ dead: { count: 7, oldestAt: ago(DAY) } });
    expect(recovered).toMatchObject({
      state: 'healthy',
      summary: 'No attempt failed in the last 15 min. 7 dead deliveries have to be replayed or settled.',
      advice: 'Replay the dead deliveries, or settle them if they were handled otherwise.',
    });
    expect(needsAttention(recovered)).toBe(true);
    expect(needsAttention(health({}))).toBe(false);
    expect(health({ ...DOWN, dead: { count: 1, oldestAt: ago(DAY) } })).toMatchObject({
      summary: expect.stringContaining('1 dead delivery has to be replayed or settled.'),
      advice: expect.stringContaining('Then replay the dead deliveries.'),
    });
  });

  it('reports certificates in their last 30 days as notices', () => {
    const ending = (inMs: number) => health({ certificates: [{ use: 'client', notAfter: ago(-inMs) }] });
    expect(ending(30 * DAY + 1).notices).toEqual([]);
    expect(ending(30 * DAY)).toMatchObject({
      state: 'healthy',
      notices: [{ words: 'Our client certificate expires in 30 days.', at: ago(-30 * DAY) }],
    });
    expect(ending(-3 * DAY).notices[0]?.words).toBe('Our client certificate expired 3 days ago.');
    expect(needsAttention(ending(DAY))).toBe(true);
  });
});

describe('sideOf', () => {
  it.each([
    [cause('http_status', 503, 1), 'theirs'],
    [cause('http_status', 429, 1), 'ours'],
    [cause('http_status', 511, 1), 'line'],
    [cause('connect', null, 1), 'line'],
    [cause('dns', null, 1), 'line'],
    [cause('blocked_address', null, 1), 'ours'],
  ] as const)('attributes %o to the side: %s', (one, side) => {
    expect(health({ ...failing(3), causes: [one] }).side).toBe(side);
  });
});

describe('worstFirst', () => {
  it('sorts consumers by state, waiting deliveries and duration, with planned pauses last', () => {
    const all = [
      health(paused(ago(MINUTE))),
      health({ waiting: 1, oldestDueAt: ago(DAY) }),
      health({ dead: { count: 1, oldestAt: ago(DAY) } }),
      health(failing(4)),
      health(paused(ago(MINUTE), true)),
      health({ ...DOWN, firstFailureAt: ago(2 * MINUTE) }),
      health({ ...DOWN, waiting: 1, firstFailureAt: ago(2 * MINUTE) }),
      health(DOWN),
      health({ secretFault: { words: '', since: ago(MINUTE) } }),
    ].toSorted(worstFirst);
    expect(all.map(({ state }) => state)).toEqual([
      'credentials_broken',
      'down',
      'down',
      'down',
      'paused',
      'degraded',
      'falling_behind',
      'healthy',
      'paused',
    ]);
    expect(all[1]?.waiting).toBe(1);
    expect(all[2]?.since).toEqual(ago(3 * MINUTE));
  });
});
