import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OUTCOMES, TLS_FAULTS, type Outcome } from '#libs/contracts';
import { adviceFor } from './advice.js';

const of = (outcome: Outcome, httpStatus: number | null = null, clockSkewMs: number | null = null): string =>
  adviceFor({ outcome, httpStatus, detail: '', clockSkewMs });

describe('adviceFor', () => {
  it('names the cause of every status with specific advice', () => {
    const telling: [number, RegExp][] = [
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
    for (const [status, words] of telling) {
      expect(of('http_status', status)).toMatch(words);
      expect(of('http_status', status)).toMatch(new RegExp(`^${status}: `));
    }
  });

  it('begins the advice for a refusal with the consumer’s answer, cut and on one line', () => {
    const said = (answer: string | null, httpStatus = 401): string =>
      adviceFor({ outcome: 'http_status', httpStatus, detail: '', clockSkewMs: null, answer });
    expect(said('unknown user')).toMatch(/^The consumer answered “unknown user”\. 401: /);
    expect(said(' two\n\u0000lines\t')).toMatch(/^The consumer answered “two lines”\. /);
    expect(said('💶'.repeat(200))).toMatch(/^The consumer answered “(?:💶){120}…”\. /u);
    for (const nothing of [null, '', ' \n', '<html><title>401</title></html>'])
      expect(said(nothing)).toBe(of('http_status', 401));
    expect(said('out of memory', 500)).toBe(of('http_status', 500));
  });

  it('does not suggest a test delivery for a refusal, which can be the answer to one', () => {
    for (let status = 400; status < 500; status += 1)
      expect(of('http_status', status)).not.toMatch(/send a test/i);
  });

  it('gives different advice for each failure without an answer', () => {
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

  it('names the owner of the certificate, with different advice for each TLS fault', () => {
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

  it('gives an unknown status the advice of its class, below 500 and from 500 on', () => {
    expect(of('http_status', 499)).toMatch(/^499: the consumer refuses/);
    expect(of('http_status', 505)).toMatch(/^505: a fault of the consumer/);
  });

  it('begins with the clock skew, and warns that a skew over 300 s refuses every timestamp', () => {
    expect(of('http_status', 401, -61_000)).toMatch(/^The consumer’s clock is 61 s behind ours: have it set/);
    expect(of('http_status', 401, 300_000)).toMatch(/300 s ahead of ours: have it set/);
    expect(of('http_status', 401, 300_001)).toMatch(/refuses every timestamp/);
    expect(of('http_status', 401, -300_001)).toMatch(/behind ours: it refuses every timestamp/);
    expect(of('http_status', 401, -61_000)).toMatch(/Basic credentials/);
    expect(of('acknowledged', 200, 400_000)).toBe(of('acknowledged', 200));
  });

  it('does not mention further attempts, since it is also shown for final deliveries and tests', () => {
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

  it('returns whole sentences for every outcome and status', () => {
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
