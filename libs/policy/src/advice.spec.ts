import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OUTCOMES, TLS_FAULTS, type Outcome } from '#libs/contracts';
import { adviceFor, adviceForConsumer, sideOfAttempt, type AttemptCause } from './advice.js';

const cause = (outcome: Outcome, httpStatus: number | null = null, clockSkewMs: number | null = null) => ({
  outcome,
  httpStatus,
  detail: '',
  clockSkewMs,
});
const of = (...given: Parameters<typeof cause>): string => adviceFor(cause(...given));
const forConsumer = (...given: Parameters<typeof cause>): string => adviceForConsumer(cause(...given));
const answered = (httpStatus: number | null, clockSkewMs: number | null = null): string =>
  of('http_status', httpStatus, clockSkewMs);

const STATUSES = [null, ...Array.from({ length: 500 }, (_, index) => index + 100)];
/** Every cause of a failure, without its clock. */
const CAUSES: readonly AttemptCause[] = [
  ...OUTCOMES.flatMap((outcome) => STATUSES.map((status) => cause(outcome, status))),
  ...Object.values(TLS_FAULTS).map((detail) => ({ ...cause('tls'), detail })),
];
/** Words that name settings, tools or people of the bank, which no consumer may see. */
const INTERNAL =
  /EGRESS|ALLOW_HTTP|SECRETS_KEYRING|maxPerSecond|maxConcurrency|timeout_?ms|operator|on-call|keyring|worker|Redis|PostgreSQL|the consumer\b/i;

describe('advice', () => {
  it('advice about an answer begins with its status, for operators and for consumers', () => {
    for (let status = 100; status < 600; status += 1) {
      expect(answered(status)).toMatch(new RegExp(`^${String(status)}: `));
      expect(forConsumer('http_status', status)).toMatch(
        new RegExp(`^Your server answered ${String(status)}: `),
      );
    }
    expect(answered(499)).toMatch(/^499: the consumer refuses/);
    expect(answered(505)).toMatch(/^505: a fault of the consumer/);
    expect(answered(401)).toMatch(/Basic credentials or the signature.*“Explain the signature”/);
    expect(answered(410)).toMatch(/paused.*resume/);
    expect(answered(429)).toMatch(/maxPerSecond/);
    expect(of('redirect', 302)).toMatch(/^302: the consumer redirects/);
    expect(forConsumer('http_status', 401)).toMatch(
      /^Your server answered 401: it refuses the user name and password/,
    );
  });

  it('advice differs for each failure without an answer', () => {
    for (const advice of [of, forConsumer])
      expect(new Set(OUTCOMES.map((outcome) => advice(outcome))).size).toBe(OUTCOMES.length);
  });

  it('advice names the owner of the certificate and differs for each TLS fault', () => {
    const advices = Object.entries(TLS_FAULTS).map(([fault, detail]) => {
      const advice = adviceFor({ ...cause('tls'), detail });
      const isOurs = fault.startsWith('client');
      expect(advice).toMatch(
        isOurs ? /our client certificate|a client certificate/ : /^The consumer’s certificate/,
      );
      expect(sideOfAttempt({ ...cause('tls'), detail })).toBe(isOurs ? 'ours' : 'theirs');
      return advice;
    });
    expect(new Set([...advices, of('tls')]).size).toBe(Object.keys(TLS_FAULTS).length + 1);
  });

  it('advice about a refusal begins with the consumer’s answer, cut and on one line', () => {
    const adviceWith = (answer: string | null, httpStatus = 401): string =>
      adviceFor({ ...cause('http_status', httpStatus), answer });
    expect(adviceWith('unknown user')).toMatch(/^The consumer answered “unknown user”\. 401: /);
    expect(adviceWith(' two\n\u0000lines\t')).toMatch(/^The consumer answered “two lines”\. /);
    expect(adviceWith('💶'.repeat(200))).toMatch(/^The consumer answered “(?:💶){120}…”\. /u);
    for (const nothing of [null, '', ' \n', '<html><title>401</title></html>'])
      expect(adviceWith(nothing)).toBe(answered(401));
    expect(adviceWith('out of memory', 500)).toBe(answered(500));
  });

  it('advice is about the signature, and no longer about the password, when the refusal names the signature', () => {
    const adviceWith = (answer: string, httpStatus = 401): string =>
      adviceFor({ ...cause('http_status', httpStatus), answer });
    for (const answer of ['signature mismatch', '{"error":"Invalid Signature"}']) {
      expect(adviceWith(answer)).toMatch(
        /^The consumer answered “.*401: the consumer refuses the signature\./,
      );
      expect(adviceWith(answer, 400)).toMatch(/400: the consumer refuses the signature\./);
    }
    expect(adviceWith('signature mismatch')).not.toMatch(/Basic/);
    expect(adviceWith('signature service is away', 503)).toBe(answered(503));
    expect(adviceWith('<p>signature</p>')).toBe(answered(401));
  });

  it('advice begins with the clock skew, and warns that over 300 s every timestamp is refused', () => {
    expect(answered(401, -61_000)).toMatch(
      /^The consumer’s clock is 61 s behind ours: have it set.*Basic credentials/,
    );
    expect(answered(401, 300_000)).toMatch(/300 s ahead of ours: have it set/);
    expect(answered(401, 300_001)).toMatch(/refuses every timestamp/);
    expect(answered(401, -300_001)).toMatch(/behind ours: it refuses every timestamp/);
    expect(of('acknowledged', 200, 400_000)).toBe(of('acknowledged', 200));
    expect(forConsumer('http_status', 401, -400_000)).toMatch(
      /^The clock of your server is 400 s behind .*Set the clock \(NTP\) first/,
    );
    expect(forConsumer('http_status', 401, 100_000)).toMatch(/^The clock of your server is 100 s ahead of/);
  });

  it('advice about a refusal suggests no test delivery, since it can be the answer to a test delivery', () => {
    for (let status = 400; status < 500; status += 1) expect(answered(status)).not.toMatch(/send a test/i);
  });

  it('advice mentions no further attempts, since it is also shown for finished deliveries and tests', () => {
    const all = CAUSES.map((one) => adviceFor({ ...one, clockSkewMs: -61_000 }));
    expect(
      all.filter((advice) => /again|retr[yi]|automatic|by itself|given up|next attempt/i.test(advice)),
    ).toEqual([]);
  });

  it('advice is a complete sentence; for a consumer it addresses its server and names nothing of the bank’s', () => {
    const clocks = fc.option(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }));
    const details = fc.option(fc.string());
    fc.assert(
      fc.property(fc.constantFrom(...CAUSES), clocks, details, (one, clockSkewMs, detail) => {
        // The detail of an attempt can hold addresses of the bank.
        const given = {
          ...one,
          clockSkewMs,
          detail: detail === null ? one.detail : `${detail} via proxy.bank.internal`,
        };
        for (const advice of [adviceFor(given), adviceForConsumer(given)]) {
          expect(advice).toMatch(/^[A-Z0-9].{20,500}\.$/);
          expect(advice).not.toMatch(/undefined|null|NaN|internal/);
        }
        expect(adviceForConsumer(given)).toMatch(/\byour?\b/i);
        expect(adviceForConsumer(given)).not.toMatch(INTERNAL);
      }),
      { numRuns: 500 },
    );
    for (const one of CAUSES) expect(adviceForConsumer(one)).not.toMatch(INTERNAL);
  });
});
