import { IconBan, IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Schema } from '../api';
import { HOLDS } from './hold-in-words';
import type { DeliveryState } from './state-badge';
import { Time } from './time';
import { ToneBadge, type Look } from './tone-badge';

const WAITING: Look = { label: 'Waiting', tone: 'busy', icon: IconClock };

/** Every state of a delivery as the consumer's own people see it: four words for six states. */
export const STATES_FOR_CONSUMER: Readonly<Record<DeliveryState, Look>> = {
  queued: WAITING,
  sending: WAITING,
  held: WAITING,
  delivered: { label: 'Delivered', tone: 'good', icon: IconCircleCheck },
  dead: { label: 'Not delivered', tone: 'bad', icon: IconCircleX },
  cancelled: { label: 'Cancelled', tone: 'quiet', icon: IconBan },
};

export const StateBadgeForConsumer = ({ state }: { state: DeliveryState }) => (
  <ToneBadge {...STATES_FOR_CONSUMER[state]} />
);

interface StateForConsumerProps {
  delivery: Pick<
    Schema<'DeliveryDto'>,
    'state' | 'holdReason' | 'nextAttemptAt' | 'attemptCount' | 'endReason'
  >;
  /** The time of the next attempt while the consumer's server is down. */
  nextTryAt: string | null;
}

/** What happens to a delivery, in words for the consumer's own people. */
export function StateForConsumer({ delivery, nextTryAt }: StateForConsumerProps): ReactNode {
  const { state, holdReason, nextAttemptAt, attemptCount, endReason } = delivery;
  switch (state) {
    case 'queued':
      return (
        <>
          We try {attemptCount > 0 && 'again '}at <Time at={nextAttemptAt} />.
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
              We try again at <Time at={nextTryAt} />.
            </>
          )}
        </>
      );
    case 'delivered':
      return 'Your server acknowledged it.';
    case 'dead':
      return 'We stopped trying. Resend it.';
    case 'cancelled':
      return endReason === 'cancelled_manually'
        ? 'The bank has cancelled it. Ask the bank to send it again.'
        : 'Nothing more is sent.';
  }
}
