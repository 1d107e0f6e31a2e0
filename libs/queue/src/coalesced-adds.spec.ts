import { describe, expect, it } from '@jest/globals';
import { CoalescedAdds } from './coalesced-adds.js';

/** Records the calls. The test resolves or rejects each of them. */
function recorded() {
  const calls: (readonly string[])[] = [];
  const left: (readonly string[])[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const adds = new CoalescedAdds({
    add: (ids) => {
      calls.push(ids);
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      return answer.promise;
    },
    leave: (ids) => left.push(ids),
  });
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return { adds, calls, left, answers, nextTurn };
}

describe('CoalescedAdds', () => {
  it('adds all ids of one turn of the event loop in one call, each id once', async () => {
    const { adds, calls, answers, nextTurn } = recorded();
    adds.add(['a', 'b']);
    adds.add(['b', 'c']);
    adds.add([]);
    await nextTurn();
    expect(calls).toEqual([['a', 'b', 'c']]);
    answers[0]?.resolve();
    await adds.settled(1_000);
    expect(calls).toHaveLength(1);
  });

  it('makes one call at a time, and adds an id again that is given while it is being added', async () => {
    const { adds, calls, answers, nextTurn } = recorded();
    adds.add(['a']);
    await nextTurn();
    adds.add(['a', 'b']);
    adds.add(['b']);
    await nextTurn();
    expect(calls).toEqual([['a']]);
    answers[0]?.resolve();
    await nextTurn();
    expect(calls).toEqual([['a'], ['a', 'b']]);
    answers[1]?.resolve();
    await adds.settled(1_000);
  });

  it('reports the ids of a failed call, and continues with the ids that were given meanwhile', async () => {
    const { adds, calls, left, answers, nextTurn } = recorded();
    adds.add(['a']);
    await nextTurn();
    adds.add(['b']);
    answers[0]?.reject(new Error('unreachable'));
    await nextTurn();
    answers[1]?.resolve();
    await adds.settled(1_000);
    expect(left).toEqual([['a']]);
    expect(calls).toEqual([['a'], ['b']]);
    adds.add(['c']);
    await nextTurn();
    expect(calls).toHaveLength(3);
  });

  it('settles at once without ids to add, and after the given time without an answer', async () => {
    const { adds, calls, nextTurn } = recorded();
    await adds.settled(60_000);
    adds.add(['a']);
    await nextTurn();
    await adds.settled(10);
    expect(calls).toEqual([['a']]);
  });
});
