import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Leaving } from './leaving.js';

const facts = (oldestRunning: bigint, mark: bigint | null, wakeInMs: number | null = null) => ({
  oldestRunning,
  mark,
  wakeInMs,
});

describe('the end of a session that was left', () => {
  it('is decided when all transactions before the mark have ended, and nothing is due', () => {
    const leaving = new Leaving(0);
    expect([leaving.needsMark, leaving.note(facts(5n, 7n, 500), 1), leaving.needsMark]).toEqual([
      true,
      true,
      false,
    ]);
    leaving.note(facts(6n, null, 500), 2);
    expect(leaving.decided).toBeNull();
    leaving.note(facts(7n, null, 400), 3);
    expect(leaving.decided).toEqual({ wakeInMs: 400 });
  });

  it('is decided within 2 s exactly when no transaction before the mark runs', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.array(fc.nat(50), { maxLength: 10 }), (mark, answers) => {
        const leaving = new Leaving(0);
        leaving.note(facts(0n, BigInt(mark + 1)), 1);
        for (const oldest of answers) leaving.note(facts(BigInt(oldest), null), 1);
        expect(leaving.decided !== null).toBe(answers.some((oldest) => oldest > mark));
      }),
    );
  });

  it('is refused while something is due', () => {
    const leaving = new Leaving(0);
    expect(leaving.note(facts(7n, 7n, 0), 1)).toBe(false);
    expect(leaving.decided).toBeNull();
  });

  it('is decided after 2 s beside a long transaction, with a timer that looks again within 2 s', () => {
    for (const [wakeInMs, timerInMs] of [
      [null, 2_000],
      [60_000, 2_000],
      [300, 300],
    ] as const) {
      const leaving = new Leaving(0);
      leaving.note(facts(1n, 9n, wakeInMs), 1_999);
      expect(leaving.decided).toBeNull();
      leaving.note(facts(1n, null, wakeInMs), 2_001);
      expect(leaving.decided).toEqual({ wakeInMs: timerInMs });
    }
  });
});
