import { expect, it } from '@jest/globals';
import { agoInWords, durationInWords } from './duration-in-words';

it('shows a duration in its largest unit and the next', () => {
  expect([0, 840, 74_000, 3_600_000, 187_200_000].map(durationInWords)).toEqual([
    '0 ms',
    '840 ms',
    '1 min 14 s',
    '1 h',
    '2 d 4 h',
  ]);
});

it('shows a moment by its distance from the present in one unit', () => {
  expect([-150_000, -400, 7_300_000].map(agoInWords)).toEqual(['2 min ago', 'now', 'in 2 h']);
});
