import type { PendingState, SteppedWork } from '#test/support/stepped-work';
import { waitUntil } from '#test/support/wait-until';

/** Whose turn it is, step by step. */
export type Turns<Who extends string = 'first' | 'second'> = readonly Who[];

/** Every order in which so many steps of each can happen. */
export function everyOrder<Who extends string>(steps: readonly (readonly [Who, number])[]): Turns<Who>[] {
  const left = steps.filter(([, count]) => count > 0);
  if (left.length === 0) return [[]];
  return left.flatMap(([who]) =>
    everyOrder(left.map(([other, count]) => [other, other === who ? count - 1 : count])).map(
      (rest): Turns<Who> => [who, ...rest],
    ),
  );
}

/** Every order in which so many steps of the one and of the other can happen. */
export const everyInterleaving = (first: number, second: number): Turns[] =>
  everyOrder([
    ['first', first],
    ['second', second],
  ]);

/**
 * Runs all to their ends, in these turns; the turn of one that waits for another's lock is passed over. `look` is called
 * after each. What one of them throws is in its own `result`.
 */
export async function inTurns<Who extends string>(
  turns: Turns<Who>,
  works: Readonly<Record<Who, SteppedWork<unknown>>>,
  look: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  for (const turn of turns) {
    await advanceIfItCan(works[turn]);
    await look();
  }
  const all = Object.values<SteppedWork<unknown>>(works);
  await waitUntil(
    async () => {
      const pendingStates: PendingState[] = [];
      for (const work of all) pendingStates.push(await advanceIfItCan(work));
      return pendingStates.every((pendingState) => pendingState === 'done');
    },
    // Two that wait for each other: PostgreSQL ends one of them after a second.
    { what: 'all to come to their ends', everyMs: 1 },
  );
}

/** Runs both to their ends, in these turns. @returns what they come to */
export async function interleave<A, B>(
  turns: Turns,
  first: SteppedWork<A>,
  second: SteppedWork<B>,
  look?: () => Promise<void>,
): Promise<[A, B]> {
  await inTurns(turns, { first, second }, look);
  return Promise.all([first.result, second.result]);
}

async function advanceIfItCan(work: SteppedWork<unknown>): Promise<PendingState> {
  const pendingState = await work.pendingState();
  return pendingState === 'paused' ? work.advance() : pendingState;
}

/** Those orders in which the other comes as a block, wherever: at most `mostChanges` changes between the two. */
export const everyMeeting = (first: number, second: number, mostChanges = 2) =>
  everyInterleaving(first, second).filter((turns) => {
    const changes = turns.filter((turn, index) => index > 0 && turn !== turns[index - 1]).length;
    return changes <= mostChanges;
  });
