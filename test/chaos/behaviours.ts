import { seededRandom, type SeededRandom } from '#test/chaos/seeded-random';

/** How a consumer reacts to a POST. */
export type Reaction =
  /** It answers after `delayMs`, and not before `when`. */
  | { readonly status: number; readonly delayMs: number; readonly when?: Promise<void> }
  | 'reset'
  | 'hang'
  /** It does not listen. */
  | 'refuse';

/** The reaction at a time since the start of the load. Called for each POST, and regularly for `refuse`. */
export type Behaviour = (atMs: number) => Reaction;

const ok = (delayMs: number): Reaction => ({ status: 200, delayMs });

/** Acknowledges at once. */
export const healthy: Behaviour = () => ok(0);

/** Acknowledges within 60 ms, so that there is always a POST in flight. */
export const prompt =
  (random: SeededRandom): Behaviour =>
  () =>
    ok(random.integer(5, 60));

/** Acknowledges after 50 to 300 ms. */
export const slow =
  (random: SeededRandom): Behaviour =>
  () =>
    ok(random.integer(50, 300));

/** Alternates between 1 to 3 s of acknowledging and 1 to 3 s of answering 503, resetting or hanging. */
export function flapping(random: SeededRandom, totalMs: number): Behaviour {
  const ends: number[] = [];
  for (let atMs = 0; atMs < totalMs; ends.push(atMs)) atMs += random.integer(1_000, 3_000);
  return (atMs) => {
    const period = ends.findIndex((end) => atMs < end);
    if (period % 2 === 0 || period === -1) return ok(random.integer(0, 5));
    return random.pick<Reaction>([{ status: 503, delayMs: 0 }, 'reset', 'hang']);
  };
}

/** A consumer whose cloud region is down hangs for longer than its timeout, and so do its neighbours. */
const HANGS_FOR_MS: readonly [number, number] = [10_000, 15_000];

/** Acknowledges, except for one time in each minute in which it hangs; the same times for the same seed. */
export function hangingTogether(seed: number, totalMs: number): Behaviour {
  const random = seededRandom(seed);
  const hangs: { fromMs: number; untilMs: number }[] = [];
  for (let atMs = 0; atMs < totalMs; atMs += 60_000) {
    const fromMs = atMs + random.integer(1_000, 30_000);
    hangs.push({ fromMs, untilMs: fromMs + random.integer(...HANGS_FOR_MS) });
  }
  return (atMs) => (hangs.some(({ fromMs, untilMs }) => atMs >= fromMs && atMs < untilMs) ? 'hang' : ok(0));
}

/** The retry schedule below lasts longer than this. */
const LONGEST_OUTAGE_MS = 45_000;

/** Down for the second third of the run: it hangs at first, then it does not listen. */
export function downForAWhile(totalMs: number): Behaviour {
  const fromMs = totalMs / 3;
  const forMs = Math.min(totalMs / 3, LONGEST_OUTAGE_MS);
  return (atMs) => {
    if (atMs < fromMs || atMs >= fromMs + forMs) return ok(0);
    return atMs < fromMs + forMs / 2 ? 'hang' : 'refuse';
  };
}

/** Forty attempts after 1 s each, then ten after 5 s: no delivery becomes dead in a run. */
export const LONG_SCHEDULE_S = [
  ...Array.from({ length: 40 }, () => 1),
  ...Array.from({ length: 10 }, () => 5),
];
