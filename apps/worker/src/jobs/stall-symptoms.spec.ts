import { describe, expect, it } from '@jest/globals';
import { StallSymptoms, type StallSymptom } from './stall-symptoms.js';

/** Notes the same symptoms every second, and returns the fault afterwards. */
function after(seconds: number, ...found: StallSymptom[]): string | null {
  const symptoms = new StallSymptoms();
  for (let second = 0; second <= seconds; second += 1) symptoms.note(new Set(found), second * 1_000);
  return symptoms.fault(seconds * 1_000);
}

describe('StallSymptoms', () => {
  it('reports a symptom as a fault after its tolerated time, and not before', () => {
    expect(after(60)).toBeNull();
    expect(after(4, 'queue_silent')).toBeNull();
    expect(after(5, 'queue_silent')).toBe('the queue has not answered for 5 s');
    expect(after(8, 'fetches_nothing')).toBeNull();
    expect(after(12, 'fetches_nothing')).toBe(
      'jobs wait and slots are free, but it has opened no session for 12 s',
    );
    expect(after(59, 'ends_nothing')).toBeNull();
    expect(after(60, 'ends_nothing')).toMatch(/^all slots are taken/);
  });

  it('measures a symptom from its last reappearance', () => {
    const symptoms = new StallSymptoms();
    symptoms.note(new Set(['fetches_nothing']), 0);
    symptoms.note(new Set(), 9_000);
    symptoms.note(new Set(['fetches_nothing']), 10_000);
    expect(symptoms.fault(18_999)).toBeNull();
    expect(symptoms.fault(19_000)).not.toBeNull();
  });

  it('reports the more severe of two symptoms', () => {
    expect(after(9, 'fetches_nothing', 'queue_silent')).toMatch(/^the queue/);
  });
});
