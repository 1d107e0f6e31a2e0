/**
 * Divides free slots among sessions: none gets more than it wants, and what one leaves the others share.
 * @param wants in order of precedence: when there are fewer slots than wants, the first ones get them
 */
export function shareSlots(free: number, wants: readonly number[]): number[] {
  const shares = wants.map(() => 0);
  let left = free;
  let open = wants.flatMap((want, index) => (want > 0 ? [index] : []));
  while (left > 0 && open.length > 0) {
    const each = Math.max(1, Math.floor(left / open.length));
    const still: number[] = [];
    for (const index of open) {
      const given = Math.min(each, left, (wants[index] ?? 0) - (shares[index] ?? 0));
      shares[index] = (shares[index] ?? 0) + given;
      left -= given;
      if ((shares[index] ?? 0) < (wants[index] ?? 0)) still.push(index);
    }
    open = still;
  }
  return shares;
}
