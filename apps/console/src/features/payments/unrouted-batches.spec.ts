import { expect, it } from '@jest/globals';
import { addUp, inBatches } from './unrouted-batches';

it('sends unrouted events the oldest first, at most 100 in a request', () => {
  const ids = Array.from({ length: 250 }, (_, index) => String(index).padStart(3, '0'));
  const batches = inBatches(ids.toReversed());
  expect(batches.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(batches.flat()).toEqual(ids);
  expect(inBatches([])).toEqual([]);
});

it('adds up the events of each consumer over several requests, the most first', () => {
  const answers = [
    { sent: 2, notSent: 1, consumers: [{ consumerId: 'a', events: 2 }] },
    {
      sent: 3,
      notSent: 0,
      consumers: [
        { consumerId: 'a', events: 1 },
        { consumerId: 'b', events: 3 },
        { consumerId: 'c', events: 9 },
      ],
    },
  ];
  expect(addUp(answers)).toEqual({
    sent: 5,
    notSent: 1,
    consumers: [
      { consumerId: 'c', events: 9 },
      { consumerId: 'a', events: 3 },
      { consumerId: 'b', events: 3 },
    ],
  });
});
