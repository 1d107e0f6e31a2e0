/** Pseudo-random numbers that are the same for the same seed, so that a run can be repeated. */
export interface SeededRandom {
  /** Uniform in [0, 1). */
  next(): number;
  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  /** One of the items. */
  pick<T>(items: readonly [T, ...T[]]): T;
  /** All items in random order. */
  shuffled<T>(items: readonly T[]): T[];
}

/** mulberry32 (Tommy Ettinger, public domain): 32 bits of state, one multiplication chain per number. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    pick: (items) => items[integer(0, items.length - 1)] ?? items[0],
    shuffled: (items) =>
      items
        .map((item) => ({ item, position: next() }))
        .toSorted((a, b) => a.position - b.position)
        .map(({ item }) => item),
  };
}
