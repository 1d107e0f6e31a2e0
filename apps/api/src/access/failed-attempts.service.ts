import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { addressGroup } from './address-group.js';
import { TooManyRequestsError, type RateLimit } from './too-many-requests.js';

/** Look-ups of unknown keys that one address may cause in a minute before the answer becomes 429: a few forgotten clients. */
const UNKNOWN_KEYS_PER_MINUTE = 120;
/** Sign-ins that fail, by key or by OpenID Connect each; people mistype. */
const SIGN_INS_PER_MINUTE = 20;

const perMinute = (points: number): RateLimiterMemory => new RateLimiterMemory({ points, duration: 60 });

/**
 * Counts what fails, for each client address; an IPv6 /64 is one address. A valid key is never refused because others at
 * its address failed: the key is looked up first, and only a failure is counted. Keys are 256 random bits, so the limit
 * does not have to stop a search; beyond it a client is asked to wait, and the metrics show that keys are being tried.
 */
@Injectable()
export class FailedAttempts {
  private readonly unknownKeys = perMinute(UNKNOWN_KEYS_PER_MINUTE);
  private readonly signIns = perMinute(SIGN_INS_PER_MINUTE);
  private readonly openIdSignIns = perMinute(SIGN_INS_PER_MINUTE);

  /** Counts a look-up of an unknown key. @throws TooManyRequestsError beyond the limit */
  unknownKey(address: string): Promise<void> {
    return this.count('unknown_keys', this.unknownKeys, address);
  }

  /** Counts a sign-in with an unknown key. @throws TooManyRequestsError beyond the limit */
  signIn(address: string): Promise<void> {
    return this.count('sign_ins', this.signIns, address);
  }

  /** Counts a refused answer of the OpenID provider. @throws TooManyRequestsError beyond the limit */
  openIdSignIn(address: string): Promise<void> {
    return this.count('sign_ins', this.openIdSignIns, address);
  }

  /**
   * Each answer that is checked costs a request to the OpenID provider, so beyond the limit none is checked at all.
   * @throws TooManyRequestsError
   */
  async requireOpenIdSignInLeft(address: string): Promise<void> {
    const counted = await this.openIdSignIns.get(addressGroup(address));
    if (counted !== null && counted.remainingPoints <= 0) throw refusal('sign_ins', counted);
  }

  private async count(limit: RateLimit, limiter: RateLimiterMemory, address: string): Promise<void> {
    const counted = await limiter.penalty(addressGroup(address));
    if (counted.consumedPoints > limiter.points) throw refusal(limit, counted);
  }
}

const refusal = (limit: RateLimit, { msBeforeNext }: RateLimiterRes): TooManyRequestsError =>
  new TooManyRequestsError(
    limit,
    msBeforeNext,
    'Too many unknown keys or failed sign-ins have come from this address. Check the key, and wait.',
  );
