import type { Config } from '#libs/config';
import type { FastifyInstance } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { isIngest } from '../http/ingest-request.js';
import { hashApiKey } from './api-key.js';
import { presentedIn } from './presented-key.js';
import { TooManyRequestsError, type RateLimit } from './too-many-requests.js';

/**
 * Limits how often a key, or a session, may ask in a second, before a body is read. What producers post has a limit of its
 * own, in which a batch is one request. Each process counts for itself: whoever has several grants their sum (ADR 23).
 */
export function limitRates(server: FastifyInstance, rates: Config['rates']): void {
  const events = new RateLimiterMemory({ points: rates.eventRequestsPerSecond, duration: 1 });
  const others = new RateLimiterMemory({ points: rates.otherRequestsPerSecond, duration: 1 });
  server.addHook('onRequest', async (request) => {
    const presented = presentedIn(request.headers);
    if (presented === null) return;
    const who = hashApiKey(presented.kind === 'key' ? presented.key : presented.token).toString('base64');
    await (isIngest(request) ? spend(events, who, 'events') : spend(others, who, 'others'));
  });
}

async function spend(limiter: RateLimiterMemory, who: string, limit: RateLimit): Promise<void> {
  try {
    await limiter.consume(who);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new TooManyRequestsError(
      limit,
      refusal.msBeforeNext,
      `This key has asked more than ${String(limiter.points)} times in this second. Slow down, or post in batches.`,
    );
  }
}
