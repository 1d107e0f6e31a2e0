import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { addressGroup } from './address-group.js';
import { TooManyRequestsError, type RateLimit } from '../http/too-many-requests.js';

/** Maximum look-ups of unknown keys per address and minute: enough for a few outdated clients. Then: 429. */
const UNKNOWN_KEYS_PER_MINUTE = 120;
/** Maximum failed sign-ins per address and minute, since people mistype; separate for API keys and OpenID Connect. */
const SIGN_INS_PER_MINUTE = 20;

const perMinute = (points: number): RateLimiterMemory => new RateLimiterMemory({ points, duration: 60 });

/**
 * Counts failed attempts per client address; an IPv6 /64 counts as one address. A valid key is never refused because
 * of failures from its address: the key is looked up first, and only failures are counted. Keys have 256 random bits,
 * so the limit need not prevent guessing. Beyond it, clients get 429, and the metrics show that keys are being tried.
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
   * To be called before an answer of the provider is checked, since each check costs a request to the provider.
   * @throws TooManyRequestsError when the address has reached the limit of failed sign-ins
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
