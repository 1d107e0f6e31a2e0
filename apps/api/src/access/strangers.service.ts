import { Injectable } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Caller } from './caller.js';
import { TooManyRequestsError, type RateLimit } from './too-many-requests.js';

/** Look-ups in vain that one address may cause in a minute: a handful of forgotten clients, and no search. */
const KEYS_PER_MINUTE = 120;
/** Sign-ins that fail; a person mistypes now and then. */
const SIGN_INS_PER_MINUTE = 20;

/**
 * Bounds what addresses may find out, or cost us, with keys that nobody has. Only what fails counts: whoever has a key
 * signs in as often as they like.
 */
@Injectable()
export class Strangers {
  private readonly keys = new RateLimiterMemory({ points: KEYS_PER_MINUTE, duration: 60 });
  private readonly signIns = new RateLimiterMemory({ points: SIGN_INS_PER_MINUTE, duration: 60 });

  /** Of a key that a request presents. @throws TooManyRequestsError without looking it up */
  presentsKey(address: string, lookUp: () => Promise<Caller | null>): Promise<Caller | null> {
    return this.within('strangers', this.keys, address, lookUp);
  }

  /** Of a key that is to be exchanged for a session. @throws TooManyRequestsError without looking it up */
  signsIn(address: string, lookUp: () => Promise<Caller | null>): Promise<Caller | null> {
    return this.within('sign_ins', this.signIns, address, lookUp);
  }

  private async within(
    limit: RateLimit,
    limiter: RateLimiterMemory,
    address: string,
    lookUp: () => Promise<Caller | null>,
  ): Promise<Caller | null> {
    const spent = await limiter.get(address);
    if (spent !== null && spent.remainingPoints <= 0) {
      throw new TooManyRequestsError(
        limit,
        spent.msBeforeNext,
        'Too many keys that nobody has have come from this address. Check the key, and wait.',
      );
    }
    const caller = await lookUp();
    if (caller === null) await limiter.penalty(address);
    return caller;
  }
}
