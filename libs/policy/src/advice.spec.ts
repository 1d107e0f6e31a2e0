import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OUTCOMES, TLS_FAULTS, type Outcome } from '#libs/contracts';
import { adviceFor } from './advice.js';

const of = (outcome: Outcome, httpStatus: number | null = null, clockSkewMs: number | null = null): string =>
  adviceFor({ outcome, httpStatus, detail: '', clockSkewMs });

describe('advice', () => {
  it('names the cause of every status that has one of its own', () => {
    const telling: [number, RegExp][] = [
      [400, /does not understand/],
      [401, /Basic credentials or the signature/],
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
    for (const [status, words] of telling) {
      expect(of('http_status', status)).toMatch(words);
      expect(of('http_status', status)).toMatch(new RegExp(`^${status}: `));
    }
  });

  it('says something else of each failure without an answer', () => {
    const telling: Record<Exclude<Outcome, 'http_status'>, RegExp> = {
      acknowledged: /Nothing to do/,
      redirect: /not followed/,
      timeout: /acknowledge first/,
      dns: /DNS/,
      connect: /firewall/,
      tls: /certificate/,
      reset: /broke/,
      blocked_address: /EGRESS_ALLOW/,
      invalid_response: /no HTTP/,
    };
    for (const [outcome, words] of Object.entries(telling)) {
      const known = OUTCOMES.find((one) => one === outcome) ?? 'acknowledged';
      expect(of(known)).toMatch(words);
    }
    expect(new Set(OUTCOMES.map((outcome) => of(outcome))).size).toBe(OUTCOMES.length);
  });

  it('tells whose certificate it is, and says something else of each fault', () => {
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

  it('keeps the class of a status that it does not know, on both sides of 500', () => {
    expect(of('http_status', 499)).toMatch(/^499: the consumer refuses/);
    expect(of('http_status', 505)).toMatch(/^505: a fault of the consumer/);
  });

  it('begins with the clocks when they are apart, and says that nothing passes beyond 300 s', () => {
    expect(of('http_status', 401, -61_000)).toMatch(/^The consumer’s clock is 61 s behind ours: have it set/);
    expect(of('http_status', 401, 300_000)).toMatch(/300 s ahead of ours: have it set/);
    expect(of('http_status', 401, 300_001)).toMatch(/refuses every timestamp/);
    expect(of('http_status', 401, -300_001)).toMatch(/behind ours: it refuses every timestamp/);
    expect(of('http_status', 401, -61_000)).toMatch(/Basic credentials/);
    expect(of('acknowledged', 200, 400_000)).toBe(of('acknowledged', 200));
  });

  it('is a sentence for whatever may happen', () => {
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
