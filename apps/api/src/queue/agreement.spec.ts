import { describe, expect, it } from '@jest/globals';
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
  it('agrees when each delivery has its job, give or take what workers have in hand', () => {
    expect(agreementOf(both({}, 0, 0)).agrees).toBe(true);
    expect(agreementOf(both({ waiting: 2, delayed: 3 }, 5, 0)).agrees).toBe(true);
    expect(agreementOf(both({ waiting: 2, active: 4 }, 2, 0)).agrees).toBe(true);
    expect(agreementOf(both({ waiting: 2, active: 4 }, 1, 0)).agrees).toBe(false);
  });

  it('says how many jobs are missing, or too many', () => {
    expect(agreementOf(both({}, 5, 0))).toMatchObject({
      agrees: false,
      detail: expect.stringMatching(/^5 deliveries/),
    });
    expect(agreementOf(both({ delayed: 3 }, 0, 0))).toMatchObject({
      agrees: false,
      detail: expect.stringMatching(/^3 jobs/),
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
