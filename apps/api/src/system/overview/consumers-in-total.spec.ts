import { describe, expect, it } from '@jest/globals';
import type { JudgedConsumer } from '#libs/database';
import { consumerHealth, type HealthFacts } from '#libs/policy';
import { consumersInTotal } from './consumers-in-total.js';

const NOW = new Date('2026-03-01T10:00:00Z');
const GOOD: HealthFacts = {
  secretFault: null,
  paused: null,
  circuitOpenedAt: null,
  failedProbes: 0,
  failures: 0,
  firstFailureAt: null,
  lastSuccessAt: NOW,
  attempts: 100,
  failedAttempts: 1,
  failedLately: 0,
  diedLately: 0,
  oldestFailedAt: null,
  failingSince: null,
  causes: [],
  waiting: 0,
  oldestDueAt: null,
  inPerMinute: 0,
  outPerMinute: 0,
  recoveredAt: null,
  dead: { count: 0, oldestAt: null },
  certificates: [],
  isSendingStopped: false,
};
const consumer = (facts: Partial<HealthFacts> = {}): JudgedConsumer => {
  const all = { ...GOOD, ...facts };
  return {
    id: 'c',
    name: 'Acme',
    contact: null,
    pausedUntil: null,
    health: consumerHealth(all, NOW),
    circuit: { circuit_opened_at: all.circuitOpenedAt, failed_probes: 0, next_probe_at: null },
    attempts: all.attempts,
    failedAttempts: all.failedAttempts,
  };
};
const ALL_FAILED = { attempts: 1_000, failedAttempts: 1_000 };
const DOWN = { ...ALL_FAILED, failures: 1_000, firstFailureAt: NOW, circuitOpenedAt: NOW };
const PAUSED = { ...ALL_FAILED, paused: { since: NOW, reason: null, byAnswer: false } };
const BROKEN = { ...ALL_FAILED, secretFault: { words: 'no key', since: NOW } };
const ALL_FAIL = { ...ALL_FAILED, failures: 3, firstFailureAt: NOW };
const SOME_FAIL = {
  failedAttempts: 19,
  failedLately: 5,
  failures: 2,
  firstFailureAt: NOW,
  oldestFailedAt: new Date(NOW.getTime() - 10 * 60_000),
};

const figures = (...consumers: JudgedConsumer[]) => consumersInTotal(consumers).figures;

describe('figures of all consumers', () => {
  it('consumers that are down, paused or fail, or have broken credentials, do not receive everything, and do not count in the success share', () => {
    expect(
      figures(consumer(), consumer(DOWN), consumer(PAUSED), consumer(BROKEN), consumer(ALL_FAIL)),
    ).toMatchObject({
      consumers: 5,
      consumersReceivingAll: 1,
      consumersDown: 1,
      successShare: 0.99,
    });
  });

  it('a consumer that fails sometimes receives everything, and one with dead deliveries does not', () => {
    const withDead = consumer({ ...ALL_FAILED, dead: { count: 2, oldestAt: NOW } });
    expect(consumer(SOME_FAIL).health.state).toBe('degraded');
    expect(figures(consumer(), consumer(SOME_FAIL), withDead)).toMatchObject({
      consumers: 3,
      consumersReceivingAll: 2,
      successShare: 0.9,
    });
  });

  it('there is no success share without attempts to a consumer that receives everything', () => {
    expect(figures(consumer(DOWN)).successShare).toBeNull();
    expect(figures()).toMatchObject({ consumers: 0, consumersReceivingAll: 0, successShare: null });
  });
});
