import type { SeededRandom } from '#test/chaos/seeded-random';

/** What a consumer does with a POST. */
export type Reaction =
  /** `when`: not before this. */
  | { readonly status: number; readonly delayMs: number; readonly when?: Promise<void> }
  | 'reset'
  | 'hang'
  /** It does not even listen. */
  | 'refuse';

/** Asked at each POST, and now and then whether it listens; `atMs` is counted from the beginning of the load. */
export type Behaviour = (atMs: number) => Reaction;

const ok = (delayMs: number): Reaction => ({ status: 200, delayMs });

/** Acknowledges at once. */
export const healthy: Behaviour = () => ok(0);

/** Acknowledges within 60 ms: quick, and yet there is always something in flight. */
export const prompt =
  (random: SeededRandom): Behaviour =>
  () =>
    ok(random.whole(5, 60));

/** Acknowledges after 50 to 300 ms. */
export const slow =
  (random: SeededRandom): Behaviour =>
  () =>
    ok(random.whole(50, 300));

/** Good and bad spells of one to three seconds; in a bad one it answers 503, resets or hangs. */
export function flapping(random: SeededRandom, totalMs: number): Behaviour {
  const turns: number[] = [];
  for (let atMs = 0; atMs < totalMs; turns.push(atMs)) atMs += random.whole(1_000, 3_000);
  return (atMs) => {
    const spell = turns.findIndex((turn) => atMs < turn);
    if (spell % 2 === 0 || spell === -1) return ok(random.whole(0, 5));
    return random.pick<Reaction>([{ status: 503, delayMs: 0 }, 'reset', 'hang']);
  };
}

/** The longest time for which the schedule below still has attempts left. */
const LONGEST_DEATH_MS = 45_000;

/** Dead for a third of the run, from its first third on: half of that it hangs, then it does not listen. */
export function deadForAWhile(totalMs: number): Behaviour {
  const fromMs = totalMs / 3;
  const forMs = Math.min(totalMs / 3, LONGEST_DEATH_MS);
  return (atMs) => {
    if (atMs < fromMs || atMs >= fromMs + forMs) return ok(0);
    return atMs < fromMs + forMs / 2 ? 'hang' : 'refuse';
  };
}

/** Forty quick attempts, then ten a few seconds apart: nothing dies in a run. */
export const PATIENT_SCHEDULE_S = [
  ...Array.from({ length: 40 }, () => 1),
  ...Array.from({ length: 10 }, () => 5),
];
