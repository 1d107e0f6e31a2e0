import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HEALTH_STATES, HOLD_REASONS, OUTCOMES, TLS_FAULTS } from '#libs/contracts';
import { adviceForConsumer, healthForConsumer, holdForConsumer } from './consumers-advice.js';

/** Words that name settings, tools or people of the bank, which no consumer may see. */
const INTERNAL =
  /EGRESS|ALLOW_HTTP|SECRETS_KEYRING|maxPerSecond|maxConcurrency|timeout_?ms|operator|on-call|keyring|worker|Redis|PostgreSQL|the consumer\b/i;

const sentences = fc.record({
  outcome: fc.constantFrom(...OUTCOMES),
  httpStatus: fc.option(fc.integer({ min: 100, max: 599 })),
  detail: fc.oneof(fc.constantFrom(...Object.values(TLS_FAULTS)), fc.string()),
  clockSkewMs: fc.option(fc.integer({ min: -1e9, max: 1e9 })),
});

describe('adviceForConsumer', () => {
  it('advice for a consumer addresses its server and names nothing of the bank’s installation', () => {
    fc.assert(
      fc.property(sentences, (cause) => {
        const advice = adviceForConsumer(cause);
        expect(advice).toMatch(/\byour?\b/i);
        expect(advice).not.toMatch(INTERNAL);
        expect(advice).toMatch(/\.$/);
      }),
    );
  });

  it('advice for a consumer does not quote the detail of an attempt, which can hold addresses of the bank', () => {
    const advice = adviceForConsumer({
      outcome: 'connect',
      httpStatus: null,
      detail: 'connect ECONNREFUSED 10.1.2.3:8443 via proxy.bank.internal',
      clockSkewMs: null,
    });
    expect(advice).not.toMatch(/10\.1\.2\.3|internal/);
  });

  it('advice for a consumer begins with the answered status, and with a wrong clock before it', () => {
    const of = (httpStatus: number, clockSkewMs: number | null = null): string =>
      adviceForConsumer({ outcome: 'http_status', httpStatus, detail: '', clockSkewMs });
    expect(of(401)).toMatch(/^Your server answered 401: it refuses the user name and password/);
    expect(of(418)).toMatch(/^Your server answered 418 and refused/);
    expect(of(599)).toMatch(/^Your server answered 599, a fault of your server/);
    expect(of(401, -400_000)).toMatch(
      /^The clock of your server is 400 s behind .*Set the clock \(NTP\) first/,
    );
    expect(of(401, 100_000)).toMatch(/^The clock of your server is 100 s ahead of/);
  });
});

describe('words of a consumer’s state', () => {
  it('every reason of a hold and every health has words without names of the bank’s installation', () => {
    for (const reason of HOLD_REASONS) expect(holdForConsumer(reason)).not.toMatch(INTERNAL);
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
