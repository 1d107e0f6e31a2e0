import { IconBan, IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Schema } from '../../../api';
import { type DeliveryState, HOLDS, type Look, Time, ToneBadge } from '../../../formats';
import { useOwnConsumer } from '../own-queries';

const WAITING: Look = { label: 'Waiting', tone: 'busy', icon: IconClock };

/** Every state of a delivery as the consumer's own people see it: four words for six states. */
export const STATES_FOR_CONSUMER: Readonly<Record<DeliveryState, Look>> = {
  queued: WAITING,
  sending: WAITING,
  held: WAITING,
  delivered: { label: 'Delivered', tone: 'good', icon: IconCircleCheck },
  dead: { label: 'Given up', tone: 'bad', icon: IconCircleX },
  cancelled: { label: 'Cancelled', tone: 'quiet', icon: IconBan },
};

export const StateBadgeForConsumer = ({ state }: { state: DeliveryState }) => (
  <ToneBadge {...STATES_FOR_CONSUMER[state]} />
);

/** What happens to a delivery, in words for the consumer's own people. */
export function StateForConsumer({ delivery }: { delivery: Schema<'DeliveryDto'> }): ReactNode {
  const { state, holdReason, nextAttemptAt, attemptCount, endReason } = delivery;
  // Known while the consumer's server is down.
  const nextTryAt = useOwnConsumer().data?.health.nextTryAt ?? null;
  switch (state) {
    case 'queued':
      return (
        <>
          We try {attemptCount > 0 && 'again '}at <Time at={nextAttemptAt} isExact />.
        </>
      );
    case 'sending':
      return 'It is being sent now.';
    case 'held':
      return (
        <>
          {holdReason !== null && HOLDS[holdReason].toConsumer}
          {holdReason === 'circuit' && nextTryAt !== null && (
            <>
              {' '}
              We try at <Time at={nextTryAt} isExact />.
            </>
          )}
        </>
      );
    case 'delivered':
      return 'Your server accepted it.';
    case 'dead':
      return 'We stopped trying. Resend it.';
    case 'cancelled':
      return endReason === 'cancelled_manually'
        ? 'The bank has cancelled it. Ask the bank to send it again.'
        : 'Nothing more is sent.';
  }
}
