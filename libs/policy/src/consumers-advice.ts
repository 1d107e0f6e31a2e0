import { adviceForConsumer } from './advice.js';
import type { ConsumerHealth } from './consumer-health.js';

/*
 * States in words for a consumer's own people, who see their own server and nothing of the bank's. They name no setting,
 * address or person of the bank.
 */

/** The parts of a consumer's health that its words depend on. */
export type HealthForConsumer = Pick<ConsumerHealth, 'state' | 'cause' | 'dead'> & {
  /** Paused by its answer 410, not by the bank. */
  readonly pausedByAnswer: boolean;
};

/** The health of a consumer in words for its own people. Exhaustive. */
export function healthForConsumer({ state, cause, dead, pausedByAnswer }: HealthForConsumer): {
  readonly summary: string;
  readonly advice: string;
} {
  const advice =
    cause === null ? 'See the failures.' : adviceForConsumer({ ...cause, detail: '', clockSkewMs: null });
  switch (state) {
    case 'credentials_broken':
      return {
        summary: 'Sending is interrupted by a fault at the bank.',
        advice: 'The bank has to correct it. Nothing is lost.',
      };
    case 'paused':
      return pausedByAnswer
        ? {
            summary: 'Sending is paused, because your server answered 410 Gone.',
            advice: 'Request a change of the URL, or contact the bank. Nothing is lost.',
          }
        : {
            summary: 'The bank has paused sending to you.',
            advice: 'Nothing is lost: what is held is sent in order afterwards.',
          };
    case 'down':
      return { summary: 'Your server cannot be reached, or refuses everything.', advice };
    case 'degraded':
      return { summary: 'Some deliveries to your server fail.', advice };
    case 'falling_behind':
      return {
        summary: 'Deliveries to your server are late.',
        advice: 'Shorten the response time of your server, or agree on higher limits with the bank.',
      };
    case 'healthy':
      return dead.count > 0
        ? {
            summary: 'Deliveries succeed, and some older ones were given up.',
            advice: 'Replay what you have missed.',
          }
        : { summary: 'Deliveries succeed.', advice: 'There is nothing to do.' };
  }
}
