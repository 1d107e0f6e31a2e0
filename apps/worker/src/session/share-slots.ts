/**
 * Divides free slots equally among sessions. A session gets at most what it wants; the others share the rest.
 * @param wants in order of precedence: with fewer slots than sessions, the first ones get a slot
 */
export function shareSlots(free: number, wants: readonly number[]): number[] {
  const shares = wants.map(() => 0);
  let left = free;
  let unsatisfied = wants.flatMap((want, index) => (want > 0 ? [index] : []));
  while (left > 0 && unsatisfied.length > 0) {
    const each = Math.max(1, Math.floor(left / unsatisfied.length));
    const still: number[] = [];
    for (const index of unsatisfied) {
      const given = Math.min(each, left, (wants[index] ?? 0) - (shares[index] ?? 0));
      shares[index] = (shares[index] ?? 0) + given;
      left -= given;
      if ((shares[index] ?? 0) < (wants[index] ?? 0)) still.push(index);
    }
    unsatisfied = still;
  }
  return shares;
}
