import type { Config } from '#libs/config';
import type { FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { isIngest } from '../http/ingest-request.js';
import type { Presented } from './presented-key.js';
import { TooManyRequestsError, type RateLimit } from '../http/too-many-requests.js';

/**
 * Limits the requests of a key or session per second. Events posted by producers have a separate limit, in which a
 * batch counts as one request. Each process counts separately, so their limits add up (ADR 23).
 */
export class RateLimits {
  private readonly events: RateLimiterMemory;
  private readonly others: RateLimiterMemory;

  constructor(rates: Config['rates']) {
    this.events = new RateLimiterMemory({ points: rates.eventRequestsPerSecond, duration: 1 });
    this.others = new RateLimiterMemory({ points: rates.otherRequestsPerSecond, duration: 1 });
  }

  /** Counts a request. @throws TooManyRequestsError beyond the limit */
  async count(request: FastifyRequest, presented: Presented): Promise<void> {
    const counter = presented.hash.toString('base64');
    await (isIngest(request) ? spend(this.events, counter, 'events') : spend(this.others, counter, 'others'));
  }
}

async function spend(limiter: RateLimiterMemory, counter: string, limit: RateLimit): Promise<void> {
  try {
    await limiter.consume(counter);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new TooManyRequestsError(
      limit,
      refusal.msBeforeNext,
      `This key has sent more than ${String(limiter.points)} requests in this second. Slow down, or post in batches.`,
    );
  }
}
