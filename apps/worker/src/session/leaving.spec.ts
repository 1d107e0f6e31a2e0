import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Leaving } from './leaving.js';

const facts = (oldestRunning: bigint, nextStarted: bigint, wakeInMs: number | null = null) => ({
  oldestRunning,
  nextStarted,
  wakeInMs,
});

describe('the end of a session that was left', () => {
  it('is decided by the first answer when no transaction is running', () => {
    const leaving = new Leaving(0);
    expect(leaving.note(facts(7n, 7n, 500), 1)).toBe(true);
    expect(leaving.decided).toEqual({ wakeInMs: 500 });
  });

  it('is never decided within 2 s while a transaction runs that may have begun before the session was left', () => {
    const ids = fc.array(fc.record({ oldest: fc.nat(50), more: fc.nat(50) }), {
      minLength: 1,
      maxLength: 10,
    });
    fc.assert(
      fc.property(ids, (answers) => {
        const leaving = new Leaving(0);
        const [first] = answers;
        const horizon = BigInt((first?.oldest ?? 0) + (first?.more ?? 0));
        for (const { oldest, more } of answers) {
          leaving.note(facts(BigInt(oldest), BigInt(oldest + more)), 1);
          if (leaving.decided !== null) {
            expect(BigInt(oldest) >= horizon).toBe(true);
            return;
          }
        }
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
      leaving.note(facts(1n, 10n, wakeInMs), 2_001);
      expect(leaving.decided).toEqual({ wakeInMs: timerInMs });
    }
  });
});
