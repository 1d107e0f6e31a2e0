import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { everySchedule, type Steps } from '#test/support/every-schedule';

/** A work whose steps are these functions. */
function stepsOf(...functions: (() => void)[]): Steps {
  const left = [...functions];
  const pendingState = () => Promise.resolve(left.length === 0 ? ('done' as const) : ('paused' as const));
  return {
    pendingState,
    advance: () => {
      left.shift()?.();
      return pendingState();
    },
  };
}

const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);

/** Two increments of one counter, each of which reads it in one step and writes it in the next. */
async function countersAfterIncrements(mostPreemptions?: number): Promise<number[]> {
  const counters: number[] = [];
  await everySchedule(async (schedule) => {
    let counter = 0;
    const increment = (): Steps => {
      let read = 0;
      return stepsOf(
        () => (read = counter),
        () => (counter = read + 1),
      );
    };
    await schedule.run({ one: increment(), other: increment() });
    counters.push(counter);
  }, mostPreemptions);
  return counters;
}

describe('everySchedule', () => {
  it('runs two works in each order of their steps exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }), async (a, b) => {
        const orders: string[] = [];
        await everySchedule(async (schedule) => {
          const steps = (count: number) => stepsOf(...Array.from({ length: count }, () => () => undefined));
          await schedule.run({ one: steps(a), other: steps(b) });
          orders.push(schedule.turns.join());
        });
        expect(new Set(orders).size).toBe(orders.length);
        expect(orders.length).toBe(choose(a + b, a));
      }),
      { numRuns: 25 },
    );
  });

  it('finds an update that is lost when another work runs between its two steps', async () => {
    expect(new Set(await countersAfterIncrements())).toEqual(new Set([1, 2]));
  });

  it('runs only whole works one after the other when no preemption is allowed', async () => {
    expect(await countersAfterIncrements(0)).toEqual([2, 2]);
  });

  it('adds the steps so far to the error of a scenario', async () => {
    const failing = everySchedule(async (schedule) => {
      await schedule.run({ one: stepsOf(() => undefined), other: stepsOf(() => undefined) });
      throw new Error('the sum is wrong');
    });
    await expect(failing).rejects.toThrow('the sum is wrong\nThe steps: one, other');
  });

  it('fails when the works have only one order', async () => {
    await expect(
      everySchedule((schedule) => schedule.run({ one: stepsOf(() => undefined) })),
    ).rejects.toThrow('The works have only one order');
  });
});
