import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OUTCOMES, TLS_FAULTS, type Outcome } from '#libs/contracts';
import { adviceFor } from './advice.js';

const of = (outcome: Outcome, httpStatus: number | null = null, clockSkewMs: number | null = null): string =>
  adviceFor({ outcome, httpStatus, detail: '', clockSkewMs });

describe('adviceFor', () => {
  it('advice names the cause of every status that has its own advice', () => {
    const expected: [number, RegExp][] = [
      [400, /does not understand/],
      [401, /Basic credentials or the signature.*“Explain the signature”/],
      [403, /forbids/],
      [404, /path/],
      [405, /POST/],
      [408, /waited too long/],
      [409, /acknowledge repeats/],
      [410, /paused.*resume/],
      [413, /256 KiB/],
      [415, /application\/json/],
      [422, /content/],
      [429, /maxPerSecond/],
      [500, /failed/],
      [502, /proxy/],
      [503, /reports that it is unavailable/],
      [504, /in time/],
    ];
    for (const [status, words] of expected) {
      expect(of('http_status', status)).toMatch(words);
      expect(of('http_status', status)).toMatch(new RegExp(`^${status}: `));
    }
  });

  it('advice about a refusal begins with the consumer’s answer, cut and on one line', () => {
    const adviceWith = (answer: string | null, httpStatus = 401): string =>
      adviceFor({ outcome: 'http_status', httpStatus, detail: '', clockSkewMs: null, answer });
    expect(adviceWith('unknown user')).toMatch(/^The consumer answered “unknown user”\. 401: /);
    expect(adviceWith(' two\n\u0000lines\t')).toMatch(/^The consumer answered “two lines”\. /);
    expect(adviceWith('💶'.repeat(200))).toMatch(/^The consumer answered “(?:💶){120}…”\. /u);
    for (const nothing of [null, '', ' \n', '<html><title>401</title></html>'])
      expect(adviceWith(nothing)).toBe(of('http_status', 401));
    expect(adviceWith('out of memory', 500)).toBe(of('http_status', 500));
  });

  it('advice about a refusal suggests no test delivery, since it can be the answer to a test delivery', () => {
    for (let status = 400; status < 500; status += 1)
      expect(of('http_status', status)).not.toMatch(/send a test/i);
  });

  it('advice differs for each failure without an answer', () => {
    const expected: Record<Exclude<Outcome, 'http_status'>, RegExp> = {
      acknowledged: /Nothing to do/,
      redirect: /not followed/,
      timeout: /acknowledge first/,
      dns: /DNS/,
      connect: /firewall/,
      tls: /certificate/,
      reset: /broke/,
      blocked_address: /EGRESS_ALLOW/,
      invalid_response: /not HTTP/,
    };
    for (const [outcome, words] of Object.entries(expected)) {
      const known = OUTCOMES.find((one) => one === outcome) ?? 'acknowledged';
      expect(of(known)).toMatch(words);
    }
    expect(new Set(OUTCOMES.map((outcome) => of(outcome))).size).toBe(OUTCOMES.length);
  });

  it('advice names the owner of the certificate and differs for each TLS fault', () => {
    const advices = Object.entries(TLS_FAULTS).map(([fault, detail]) => {
      const advice = adviceFor({ outcome: 'tls', httpStatus: null, detail, clockSkewMs: null });
      expect(advice).toMatch(
        fault.startsWith('client')
          ? /our client certificate|a client certificate/
          : /^The consumer’s certificate/,
      );
      return advice;
    });
    expect(new Set([...advices, of('tls')]).size).toBe(Object.keys(TLS_FAULTS).length + 1);
  });

  it('advice about an unknown status depends on whether it is below 500', () => {
    expect(of('http_status', 499)).toMatch(/^499: the consumer refuses/);
    expect(of('http_status', 505)).toMatch(/^505: a fault of the consumer/);
  });

  it('advice begins with the clock skew, and warns that over 300 s every timestamp is refused', () => {
    expect(of('http_status', 401, -61_000)).toMatch(/^The consumer’s clock is 61 s behind ours: have it set/);
    expect(of('http_status', 401, 300_000)).toMatch(/300 s ahead of ours: have it set/);
    expect(of('http_status', 401, 300_001)).toMatch(/refuses every timestamp/);
    expect(of('http_status', 401, -300_001)).toMatch(/behind ours: it refuses every timestamp/);
    expect(of('http_status', 401, -61_000)).toMatch(/Basic credentials/);
    expect(of('acknowledged', 200, 400_000)).toBe(of('acknowledged', 200));
  });

  it('advice mentions no further attempts, since it is also shown for finished deliveries and tests', () => {
    const statuses = [null, ...Array.from({ length: 500 }, (_, index) => index + 100)];
    const all = [
      ...OUTCOMES.flatMap((outcome) => statuses.map((status) => of(outcome, status, -61_000))),
      ...Object.values(TLS_FAULTS).map((detail) =>
        adviceFor({ outcome: 'tls', httpStatus: null, detail, clockSkewMs: null }),
      ),
    ];
    expect(
      all.filter((advice) => /again|retr[yi]|automatic|by itself|given up|next attempt/i.test(advice)),
    ).toEqual([]);
  });

  it('advice is a complete sentence for every outcome, status and clock skew', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...OUTCOMES),
        fc.option(fc.integer({ min: 100, max: 599 })),
        fc.option(fc.integer({ min: -(10 ** 12), max: 10 ** 12 })),
        (outcome, httpStatus, clockSkewMs) => {
          const advice = of(outcome, httpStatus, clockSkewMs);
          expect(advice).toMatch(/^[A-Z0-9].{20,500}\.$/);
          expect(advice).not.toMatch(/undefined|null|NaN/);
        },
      ),
    );
  });
});
