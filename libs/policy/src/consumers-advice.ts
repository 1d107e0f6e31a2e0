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
            advice: 'Nothing is lost: your notifications wait, and are sent in order afterwards.',
          };
    case 'down':
      return cause === null
        ? { summary: 'Your server does not accept notifications.', advice }
        : { summary: advice.slice(0, endOf(advice)), advice: advice.slice(endOf(advice)).trim() };
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
            summary: 'Deliveries succeed. Some older notifications were not delivered.',
            advice: 'Resend them.',
          }
        : { summary: 'Deliveries succeed.', advice: 'There is nothing to do.' };
  }
}

/** Where the first sentence of an advice ends: it says what the server does, and the rest what to do. */
const endOf = (advice: string): number => advice.indexOf('. ') + 1;
