import { describe, expect, it } from '@jest/globals';
import { MOST_IN_JOB } from '#libs/queue';
import { agreementOf, askAgreement, type BothCounts } from './agreement.js';

const counted = (count: number, isCapped = false) => ({ count, isCapped, oldestAt: null });
const both = (
  jobs: { waiting?: number; active?: number; delayed?: number },
  queued: number,
  sending: number,
): BothCounts => ({
  queue: { waiting: 0, active: 0, delayed: 0, ...jobs },
  queued: counted(queued),
  sending: counted(sending),
});

describe('agreementOf', () => {
  it('agrees when each delivery may have its job, give or take what workers have in hand', () => {
    expect(agreementOf(both({}, 0, 0)).agrees).toBe(true);
    expect(agreementOf(both({ waiting: 2, delayed: 3 }, 5, 0)).agrees).toBe(true);
    expect(agreementOf(both({ waiting: 2, delayed: 3 }, 2 * MOST_IN_JOB + 3, 0)).agrees).toBe(true);
    expect(agreementOf(both({ waiting: 2, delayed: 3 }, 2 * MOST_IN_JOB + 4, 0)).agrees).toBe(false);
    expect(agreementOf(both({ waiting: 2, active: 1, delayed: 3 }, 0, 0)).agrees).toBe(true);
  });

  it('needs no job for what is being sent', () => {
    expect(agreementOf(both({}, 0, 7)).agrees).toBe(true);
  });

  it('does not call jobs left over by finished retries a disagreement, and says how many there are', () => {
    expect(agreementOf(both({ delayed: 16 }, 0, 0))).toMatchObject({
      agrees: true,
      detail: expect.stringMatching(/left over, at least: 16\. They are harmless/),
    });
    expect(agreementOf(both({ waiting: 2, delayed: 3 }, 4, 0))).toMatchObject({
      agrees: true,
      detail: expect.stringMatching(/left over, at least: 1\./),
    });
    expect(agreementOf(both({ delayed: 3 }, 3, 0)).detail).not.toMatch(/left over/);
  });

  it('says how many jobs are missing', () => {
    expect(agreementOf(both({}, 5, 0))).toMatchObject({
      agrees: false,
      detail: expect.stringMatching(/no job: at least 5\./),
    });
  });

  it('does not know when the queue does not answer, or there are too many', () => {
    expect(agreementOf({ ...both({}, 5, 1), queue: null })).toMatchObject({
      agrees: null,
      queue: null,
      database: { queued: 5, sending: 1 },
    });
    expect(agreementOf({ ...both({}, 5, 1), queued: counted(5, true) }).agrees).toBeNull();
  });
});

describe('askAgreement', () => {
  it('looks again before it says that they differ', async () => {
    const answers = [both({}, 1, 0), both({ waiting: 1 }, 1, 0)];
    expect((await askAgreement(async () => answers.shift() ?? both({}, 9, 0))).agrees).toBe(true);
    expect((await askAgreement(async () => both({}, 1, 0))).agrees).toBe(false);
  });
});
