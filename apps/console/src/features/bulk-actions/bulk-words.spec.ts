import { describe, expect, it } from '@jest/globals';
import { doneInWords, noteBefore, percentOf, type BulkAction } from './bulk-words';

const action = (given: Partial<BulkAction>): BulkAction => ({
  id: 'b',
  action: 'replay',
  filter: {},
  reason: 'why',
  state: 'running',
  matched: 1_000,
  processed: 312,
  changed: 300,
  skipped: 12,
  lastFault: null,
  createdBy: 'olga',
  startedFor: null,
  stoppedBy: null,
  createdAt: '2026-01-01T00:00:00Z',
  finishedAt: null,
  ...given,
});

describe('summary of a bulk action', () => {
  it.each<[Partial<BulkAction>, string]>([
    [{}, '312 of 1,000 processed: 300 replayed, 12 skipped'],
    [{ matched: null }, '312 processed: 300 replayed, 12 skipped'],
    [
      { state: 'stopped', stoppedBy: 'maria' },
      'Stopped by maria after 312 of 1,000: 300 replayed, 12 skipped; 688 untouched',
    ],
    [
      { state: 'stopped', stoppedBy: 'maria', matched: null, skipped: 0 },
      'Stopped by maria after 312: 300 replayed; the rest untouched',
    ],
    [
      { state: 'failed', action: 'cancel', skipped: 0, changed: 312 },
      'Failed after 312 of 1,000: 312 cancelled; 688 untouched',
    ],
    [
      { state: 'finished', action: 'settle', processed: 1, changed: 1, skipped: 0 },
      '1 delivery processed: 1 settled',
    ],
  ])('summarises a bulk action %j as “%s”', (given, words) => {
    expect(doneInWords(action(given))).toBe(words);
  });

  it('shows the progress of a bulk action as a share of the count, and as 100 when it has finished', () => {
    expect(percentOf(action({}))).toBe(31);
    expect(percentOf(action({ matched: null }))).toBeNull();
    expect(percentOf(action({ state: 'finished', matched: null }))).toBe(100);
    expect(percentOf(action({ processed: 2_000 }))).toBe(100);
    expect(percentOf(action({ matched: 0, processed: 0 }))).toBe(0);
  });
});

it('warns of a second delivery only when the replay includes delivered ones', () => {
  for (const filter of [{}, { consumerId: 'c' }, { state: 'delivered' } as const])
    expect(noteBefore('replay', filter)).toMatch(/a second time/);
  for (const filter of [{ delivered: false }, { settled: false }, { state: 'dead' } as const])
    expect(noteBefore('replay', filter)).not.toMatch(/a second time/);
});
