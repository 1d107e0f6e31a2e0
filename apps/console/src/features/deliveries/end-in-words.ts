import type { Delivery } from './delivery-acts';

type EndReason = NonNullable<Delivery['endReason']>;

/** Why a delivery came to its end. */
export const ENDS: Readonly<Record<EndReason, string>> = {
  acknowledged: 'It answered 2xx in time.',
  schedule_used_up: 'Every attempt of the retry schedule failed.',
  pending_too_long:
    'It was not delivered within 14 days of its acceptance; time paused and time lost to faults of ours are not counted.',
  consumer_removed: 'Its consumer was removed.',
  cancelled_by_hand: 'The audit log says who and why.',
};
