import { ConflictException, Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequestsError } from '../http/too-many-requests.js';

/** Enough for people and for a small program; a larger need has the same effect by one replay. */
const CHANGES_PER_MINUTE = 120;
/** Each test is a request to the consumer's server, which can take 30 s. */
const TESTS_PER_MINUTE = 6;
/** Test messages of alerts: each is a mail to up to five addresses that nobody has confirmed. */
const ALERT_TESTS_PER_HOUR = 10;
/** Test deliveries under way for all portals of a process: operators always have slots of their own. */
const MOST_TESTS_AT_ONCE = 2;

/**
 * Limits of a consumer's people, for each consumer and process: neither the audit log nor a server can be flooded
 * through the portal. The limit of requests for each key applies in addition (ADR 23).
 */
@Injectable()
export class PortalLimits {
  private readonly changes = new RateLimiterMemory({ points: CHANGES_PER_MINUTE, duration: 60 });
  private readonly tests = new RateLimiterMemory({ points: TESTS_PER_MINUTE, duration: 60 });
  private readonly alertTests = new RateLimiterMemory({ points: ALERT_TESTS_PER_HOUR, duration: 3_600 });
  private readonly testing = new Set<string>();

  /** Counts a request that changes something or is audited. @throws TooManyRequestsError beyond the limit */
  countChange(consumerId: string): Promise<void> {
    return spend(
      this.changes,
      consumerId,
      `The portal accepts ${String(CHANGES_PER_MINUTE)} changes in a minute. Wait a moment; to send much again, start one replay.`,
    );
  }

  /** Counts a test message of the alerts. @throws TooManyRequestsError beyond the limit */
  countAlertTest(consumerId: string): Promise<void> {
    return spend(
      this.alertTests,
      consumerId,
      `The portal sends ${String(ALERT_TESTS_PER_HOUR)} test messages in an hour. Try again later.`,
    );
  }

  /**
   * Runs a test delivery: one at a time for a consumer, and a few in a minute.
   * @throws ConflictException while another test is under way; TooManyRequestsError beyond the limit
   */
  async test<T>(consumerId: string, send: () => Promise<T>): Promise<T> {
    if (this.testing.has(consumerId))
      throw new ConflictException('A test delivery is under way. Wait for its result.');
    if (this.testing.size >= MOST_TESTS_AT_ONCE)
      throw new TooManyRequestsError('portal', 5_000, 'Too many test deliveries are under way. Try again.');
    this.testing.add(consumerId);
    try {
      await spend(
        this.tests,
        consumerId,
        `The portal sends ${String(TESTS_PER_MINUTE)} test deliveries in a minute. Wait a moment.`,
      );
      return await send();
    } finally {
      this.testing.delete(consumerId);
    }
  }
}

async function spend(limiter: RateLimiterMemory, consumerId: string, message: string): Promise<void> {
  try {
    await limiter.consume(consumerId);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new TooManyRequestsError('portal', refusal.msBeforeNext, message);
  }
}
