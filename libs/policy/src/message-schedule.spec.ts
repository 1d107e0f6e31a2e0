import { expect, it } from '@jest/globals';
import { nextMessageAttempt } from './message-schedule.js';

const CREATED = new Date('2025-11-20T09:30:00.000Z');
const later = (seconds: number): Date => new Date(CREATED.getTime() + seconds * 1_000);

it('a message waits 10 s, then twice as long each time, up to 15 min', () => {
  const waits = [1, 2, 3, 7, 8, 30].map((attempts) => nextMessageAttempt(attempts, CREATED, CREATED, null));
  expect(waits).toEqual([10, 20, 40, 640, 900, 900].map(later));
});

it('a message waits as long as the receiver asks for, if that is longer', () => {
  expect(nextMessageAttempt(1, CREATED, CREATED, 60_000)).toEqual(later(60));
  expect(nextMessageAttempt(1, CREATED, CREATED, 1_000)).toEqual(later(10));
});

it('a message is given up when its next attempt would be more than 24 h after its creation', () => {
  const end = 24 * 3_600;
  expect(nextMessageAttempt(20, CREATED, later(end - 900), null)).toEqual(later(end));
  expect(nextMessageAttempt(20, CREATED, later(end - 899), null)).toBeNull();
});
