import type { Delivery } from './delivery-acts';

type EndReason = NonNullable<Delivery['endReason']>;

/** Why a delivery came to its end. */
export const ENDS: Readonly<Record<EndReason, string>> = {
  acknowledged: 'It answered 2xx in time.',
  schedule_used_up: 'Every attempt of the retry schedule failed.',
  held_too_long: 'It was held for days without a single attempt, longer than the consumer’s limit allows.',
  consumer_removed: 'Its consumer was removed.',
  cancelled_by_hand: 'The audit log says who and why.',
};
