import { Injectable } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { addressGroup } from './address-group.js';
import type { Caller } from './caller.js';
import { TooManyRequestsError, type RateLimit } from './too-many-requests.js';

/** Look-ups in vain that one address may cause in a minute: a handful of forgotten clients, and no search. */
const KEYS_PER_MINUTE = 120;
/** Sign-ins that fail; a person mistypes now and then. */
const SIGN_INS_PER_MINUTE = 20;

/**
 * Bounds what addresses may find out, or cost us, with keys that nobody has; of IPv6 a /64 counts as one. Only what fails
 * counts: whoever has a key signs in as often as they like.
 */
@Injectable()
export class Strangers {
  private readonly keys = new RateLimiterMemory({ points: KEYS_PER_MINUTE, duration: 60 });
  private readonly signIns = new RateLimiterMemory({ points: SIGN_INS_PER_MINUTE, duration: 60 });

  /** Of a key that a request presents. @throws TooManyRequestsError without looking it up */
  presentsKey(address: string, lookUp: () => Promise<Caller | null>): Promise<Caller | null> {
    return this.within('strangers', this.keys, address, lookUp);
  }

  /** Of a sign-in, which fails with null. @throws TooManyRequestsError without trying it */
  signsIn<Somebody>(address: string, attempt: () => Promise<Somebody | null>): Promise<Somebody | null> {
    return this.within('sign_ins', this.signIns, address, attempt);
  }

  private async within<Somebody>(
    limit: RateLimit,
    limiter: RateLimiterMemory,
    address: string,
    lookUp: () => Promise<Somebody | null>,
  ): Promise<Somebody | null> {
    const group = addressGroup(address);
    const spent = await limiter.get(group);
    if (spent !== null && spent.remainingPoints <= 0) {
      throw new TooManyRequestsError(
        limit,
        spent.msBeforeNext,
        'Too many keys that nobody has, or sign-ins that failed, have come from this address. Check the key, and wait.',
      );
    }
    const somebody = await lookUp();
    if (somebody === null) await limiter.penalty(group);
    return somebody;
  }
}
