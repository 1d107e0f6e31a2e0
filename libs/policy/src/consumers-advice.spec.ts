import { describe, expect, it } from '@jest/globals';
import { HEALTH_STATES } from '#libs/contracts';
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
    }
  });

  it('a pause by the answer 410 and a pause by the bank have different words', () => {
    const paused = (pausedByAnswer: boolean): string =>
      healthForConsumer({ state: 'paused', cause: null, dead: { count: 0, oldestAt: null }, pausedByAnswer })
        .summary;
    expect(paused(true)).toContain('410');
    expect(paused(false)).toBe('The bank has paused sending to you.');
  });
});
