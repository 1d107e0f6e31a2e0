import { beforeAll, describe, expect, test } from 'vitest';
import { SCENARIO_OF } from '#test/chaos/scenarios';
import { chaos, CLEAN, type Outcome } from '#test/support/chaos-suite';

describe('scenario with its planted fault', () => {
  let noFence: Outcome;
  let noParkingRelease: Outcome;
  let noReconcile: Outcome;
  let noHalving: Outcome;
  let noSlowStart: Outcome;
  let noUnprovenShare: Outcome;
  beforeAll(async () => {
    [noFence, noParkingRelease, noReconcile] = await Promise.all([
      chaos('--plant', 'no-fence'),
      chaos('--plant', 'no-parking-release'),
      chaos('--plant', 'no-reconcile'),
    ]);
    noHalving = await chaos('--plant', 'no-halving');
    noSlowStart = await chaos('--plant', 'no-slow-start');
    noUnprovenShare = await chaos('--plant', 'no-unproven-share');
  });

  test('the chaos suite reports an attempt that a superseded session recorded', () => {
    const { code, report } = noFence;
    const { history = 0, ...others } = report.violations;
    expect({ code, others }).toEqual({ code: 1, others: { ...others, lost: 0, outOfOrder: 0 } });
    expect(history).toBeGreaterThan(0);
    expect(report.samples['history']?.join('\n')).toMatch(
      /attempt 1 was recorded although session \d+ had been opened/,
    );
  });

  const NO_OTHER_VIOLATION = { outOfOrder: 0, foreign: 0, badSignatures: 0, differentBytes: 0 };

  test('the chaos suite reports a status that stays parked although the previous one was delivered', () => {
    const { code, report } = noParkingRelease;
    expect(code).toBe(1);
    expect(report.violations['lost']).toBeGreaterThan(0);
    expect(report.violations).toMatchObject(NO_OTHER_VIOLATION);
  });

  test('the chaos suite reports deliveries that were lost with the queue because reconcile did not run', () => {
    const { code, report } = noReconcile;
    expect(code).toBe(1);
    expect(report.violations['lost']).toBeGreaterThan(0);
    expect(report.violations).toMatchObject(NO_OTHER_VIOLATION);
  });

  test('the chaos suite reports records that fail with another one of their batch', () => {
    expect(noHalving.code).toBe(1);
    expect(noHalving.report.samples['history']?.join('\n')).toMatch(
      /were held because another one is refused/,
    );
  });

  test('the chaos suite reports a consumer that gets many requests at once before it has answered one', () => {
    expect(noSlowStart.code).toBe(1);
    expect(noSlowStart.report.samples['history']?.join('\n')).toMatch(
      /POSTs open without having answered one/,
    );
  });

  test('the chaos suite reports healthy consumers that wait because others that hang have all slots', () => {
    expect(noUnprovenShare.code).toBe(1);
    expect(noUnprovenShare.report.violations['unserved']).toBeGreaterThan(0);
  });
});

describe('scenario without its planted fault', () => {
  const scenarios = Object.values(SCENARIO_OF);
  let outcomes: Map<string, Outcome>;
  beforeAll(async () => {
    outcomes = new Map(
      await Promise.all(scenarios.map(async (name) => [name, await chaos('--scenario', name)] as const)),
    );
  });

  test.each(scenarios)('the chaos suite finds nothing in scenario %s without its planted fault', (name) => {
    const outcome = outcomes.get(name);
    expect(outcome?.report.violations).toEqual(CLEAN);
    expect(outcome).toMatchObject({ code: 0 });
  });
});
