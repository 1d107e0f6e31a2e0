import { describe, expect, it } from '@jest/globals';
import { agreementOf, askAgreement, type BothCounts } from './agreement.js';

const both = (
  jobs: { waiting?: number; active?: number; delayed?: number },
  overdueConsumers: number,
): BothCounts => ({ queue: { waiting: 0, active: 0, delayed: 0, ...jobs }, overdueConsumers });

describe('agreementOf', () => {
  it('queue and database agree when each consumer with overdue deliveries may have a job', () => {
    expect(agreementOf(both({}, 0)).agrees).toBe(true);
    expect(agreementOf(both({ waiting: 2, active: 1 }, 3)).agrees).toBe(true);
  });

  it('the agreement of queue and database does not count a timer as a job', () => {
    expect(agreementOf(both({ delayed: 3 }, 3)).agrees).toBe(false);
  });

  it('queue and database agree when there are more jobs than consumers that need one', () => {
    expect(agreementOf(both({ waiting: 16, delayed: 9 }, 0)).agrees).toBe(true);
  });

  it('the disagreement of queue and database states how many consumers lack a job', () => {
    expect(agreementOf(both({ waiting: 1 }, 5))).toMatchObject({
      agrees: false,
      detail: expect.stringMatching(/no job: at least 4\./),
    });
  });

  it('the agreement of queue and database is unknown when the queue does not answer', () => {
    expect(agreementOf({ queue: null, overdueConsumers: 5 })).toMatchObject({
      agrees: null,
      queue: null,
      database: { overdueConsumers: 5 },
    });
  });
});

describe('askAgreement', () => {
  it('counts again before it reports a disagreement of queue and database', async () => {
    const answers = [both({}, 1), both({ waiting: 1 }, 1)];
    expect((await askAgreement(async () => answers.shift() ?? both({}, 9))).agrees).toBe(true);
    expect((await askAgreement(async () => both({}, 1))).agrees).toBe(false);
  });
});
