import type { Standing, SteppedWork } from '#test/support/stepped-work';

/** Whose turn it is, step by step. */
export type Turns = readonly ('first' | 'second')[];

/** Every order in which so many steps of the one and of the other can happen. */
export function everyInterleaving(first: number, second: number): Turns[] {
  if (first === 0) return [Array<'second'>(second).fill('second')];
  if (second === 0) return [Array<'first'>(first).fill('first')];
  return [
    ...everyInterleaving(first - 1, second).map((rest): Turns => ['first', ...rest]),
    ...everyInterleaving(first, second - 1).map((rest): Turns => ['second', ...rest]),
  ];
}

/**
 * Runs both to their ends, in these turns; the turn of one that waits for the other's lock is passed over. `look` is
 * called after each.
 */
export async function interleave<A, B>(
  turns: Turns,
  first: SteppedWork<A>,
  second: SteppedWork<B>,
  look: () => Promise<void> = () => Promise.resolve(),
): Promise<[A, B]> {
  for (const turn of turns) {
    await advanceIfItCan(turn === 'first' ? first : second);
    await look();
  }
  for (let stuck = 0; stuck < 2;) {
    const [one, other] = [await advanceIfItCan(first), await advanceIfItCan(second)];
    if (one === 'done' && other === 'done') break;
    stuck = one === 'blocked' && other === 'blocked' ? stuck + 1 : 0;
  }
  return Promise.all([first.result, second.result]);
}

async function advanceIfItCan(work: SteppedWork<unknown>): Promise<Standing> {
  const standing = await work.standing();
  return standing === 'paused' ? work.advance() : standing;
}
