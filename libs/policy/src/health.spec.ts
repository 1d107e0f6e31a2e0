import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HEALTHY, observe, type Health, type Observation } from './health.js';

const atMs = (seconds: number): number => seconds * 1_000;
const failure = (seconds: number, delivery: number, probe = false): Observation => ({
  deliveryId: `delivery-${String(delivery)}`,
  atMs: atMs(seconds),
  succeeded: false,
  probe,
});
const success = (seconds: number): Observation => ({ ...failure(seconds, 0), succeeded: true });

/** Failures at regular intervals over a span, of the deliveries in turn. */
const failures = (count: number, deliveries: number, spanSeconds: number): Observation[] =>
  Array.from({ length: count }, (_, n) => failure((spanSeconds * n) / (count - 1), n % deliveries));

const afterAll = (observations: readonly Observation[], from: Health = HEALTHY): Health =>
  observe(from, observations).health;

describe('observe', () => {
  it('opens the circuit at the tenth consecutive failure of three deliveries, a minute after the first', () => {
    const { health, transition } = observe(HEALTHY, failures(10, 3, 60));
    expect(transition).toBe('opened');
    expect(health.circuit).toEqual({ failedProbes: 0, nextProbeAtMs: atMs(90) });
  });

  it.each([
    ['nine failures', failures(9, 3, 60)],
    ['one bad payload, any number of times', failures(1_000, 1, 3_600)],
    ['two bad payloads', failures(1_000, 2, 3_600)],
    ['failures within less than a minute', failures(1_000, 100, 59.9)],
    ['a success in between', [...failures(9, 3, 60), success(61), failure(62, 9)]],
  ])('keeps the circuit closed after %s', (_, observations) => {
    expect(afterAll(observations).circuit).toBeNull();
  });

  it('counts failures independently of the batches in which they are observed', () => {
    const observation = fc.record({
      seconds: fc.nat(20),
      delivery: fc.nat(4),
      kind: fc.constantFrom('failure', 'failure', 'failure', 'failure', 'probe', 'success'),
    });
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 60 }), fc.nat(59), (steps, cut) => {
        let now = 0;
        const observations = steps.map(({ seconds, delivery, kind }) => {
          now += seconds;
          return kind === 'success' ? success(now) : failure(now, delivery, kind === 'probe');
        });
        const split = afterAll(observations.slice(cut), afterAll(observations.slice(0, cut)));
        expect(split).toEqual(afterAll(observations));
      }),
    );
  });

  const open = afterAll(failures(10, 3, 60));

  it('doubles the time until the next probe after each failed probe, up to 15 minutes', () => {
    let health = open;
    const waits = Array.from({ length: 8 }, (_, n) => {
      const probedAt = 100 + n;
      const observed = observe(health, [failure(probedAt, n, true)]);
      expect(observed.transition).toBe('probe_failed');
      health = observed.health;
      return ((health.circuit?.nextProbeAtMs ?? 0) - atMs(probedAt)) / 1_000;
    });
    expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900, 900]);
  });

  it('ignores the failure of an attempt that began before the circuit opened', () => {
    const { health, transition } = observe(open, [failure(70, 5)]);
    expect(transition).toBeNull();
    expect(health.circuit).toEqual(open.circuit);
  });

  it.each([true, false])('closes the circuit and resets failures on a success (probe: %s)', (probe) => {
    expect(observe(open, [{ ...success(95), probe }])).toEqual({ health: HEALTHY, transition: 'closed' });
  });
});
