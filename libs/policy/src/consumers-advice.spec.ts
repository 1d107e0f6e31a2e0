import { describe, expect, it } from '@jest/globals';
import { HEALTH_STATES, OUTCOMES, type Outcome } from '#libs/contracts';
import { healthForConsumer } from './consumers-advice.js';

/** Words that name settings, tools or people of the bank, which no consumer may see. */
const INTERNAL =
  /EGRESS|ALLOW_HTTP|SECRETS_KEYRING|maxPerSecond|maxConcurrency|timeout_?ms|operator|on-call|keyring|worker|Redis|PostgreSQL|the consumer\b/i;

describe('words of a consumer’s state', () => {
  it('every health has words without names of the bank’s installation', () => {
    for (const state of HEALTH_STATES) {
      const { summary, advice } = healthForConsumer({
        state,
        cause: { outcome: 'blocked_address', httpStatus: null, words: 'EGRESS_ALLOW', count: 1, of: 1 },
        dead: { count: 0, oldestAt: null },
        pausedByAnswer: false,
      });
      expect(`${summary} ${advice}`).not.toMatch(INTERNAL);
      expect(`${summary} ${advice}`).not.toMatch(/\b(circuit|held|dead|settled|probe)\b/i);
    }
  });

  it('a server that is down is described by one sentence from the cause, and the advice follows it', () => {
    const down = (outcome: Outcome, httpStatus: number | null) =>
      healthForConsumer({
        state: 'down',
        cause: { outcome, httpStatus, words: '', count: 1, of: 1 },
        dead: { count: 0, oldestAt: null },
        pausedByAnswer: false,
      });
    expect(down('http_status', 401)).toEqual({
      summary: 'Your server answered 401: it refuses the user name and password, or the signature.',
      advice: 'Compare the credentials; for the signature see the verification example.',
    });
    expect(down('dns', null)).toEqual({
      summary: 'The host name of your URL cannot be resolved.',
      advice: 'Check your public DNS records, and the URL for a typing error.',
    });
    for (const outcome of OUTCOMES)
      for (const httpStatus of [null, ...Array.from({ length: 300 }, (_, index) => index + 300)])
        expect(Object.values(down(outcome, httpStatus)).join(' ')).toMatch(/^.+?\. .+\.$/);
  });

  it('a pause by the answer 410 and a pause by the bank have different words', () => {
    const paused = (pausedByAnswer: boolean): string =>
      healthForConsumer({ state: 'paused', cause: null, dead: { count: 0, oldestAt: null }, pausedByAnswer })
        .summary;
    expect(paused(true)).toContain('410');
    expect(paused(false)).toBe('The bank has paused sending to you.');
  });
});
