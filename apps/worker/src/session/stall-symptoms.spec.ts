import { describe, expect, it } from '@jest/globals';
import { StallSymptoms, type StallSymptom } from './stall-symptoms.js';

/** Looks every second for so long, each finding the same, and says what is wrong afterwards. */
function after(seconds: number, ...found: StallSymptom[]): string | null {
  const symptoms = new StallSymptoms();
  for (let second = 0; second <= seconds; second += 1) symptoms.note(new Set(found), second * 1_000);
  return symptoms.fault(seconds * 1_000);
}

describe('StallSymptoms', () => {
  it('become a fault when they have lasted, and not before', () => {
    expect(after(60)).toBeNull();
    expect(after(4, 'queue_silent')).toBeNull();
    expect(after(5, 'queue_silent')).toBe('the queue has not answered for 5 s');
    expect(after(4, 'database_silent')).toBeNull();
    expect(after(5, 'database_silent')).toMatch(/^PostgreSQL has not answered .* for 5 s$/);
    expect(after(9, 'fetches_nothing')).toBeNull();
    expect(after(12, 'fetches_nothing')).toBe(
      'jobs wait and there is room, yet it has opened no session for 12 s',
    );
    expect(after(59, 'ends_nothing')).toBeNull();
    expect(after(60, 'ends_nothing')).toMatch(/^there is no room/);
  });

  it('begin anew after one look that did not find them', () => {
    const symptoms = new StallSymptoms();
    symptoms.note(new Set(['fetches_nothing']), 0);
    symptoms.note(new Set(), 9_000);
    symptoms.note(new Set(['fetches_nothing']), 10_000);
    expect(symptoms.fault(19_999)).toBeNull();
    expect(symptoms.fault(20_000)).not.toBeNull();
  });

  it('do not hide one another', () => {
    expect(after(5, 'fetches_nothing', 'database_silent')).toMatch(/^PostgreSQL/);
  });
});
