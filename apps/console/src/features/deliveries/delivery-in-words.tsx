import { Group, Paper, Stack, Text } from '@mantine/core';
import type { Schema } from '../../api';
import { HOLDS, LastAttempt, outcomeInWords, StateBadge, STATES, TextLink, Time } from '../../formats';
import { useMay } from '../../signed-in/use-me';
import type { Delivery } from './delivery-commands';

/** The state; a settled dead delivery needs no further action. */
export function DeliveryState({ state, settlement }: Pick<Delivery, 'state' | 'settlement'>) {
  return (
    <div>
      <StateBadge state={state} />
      {settlement !== null && <Text size="sm">Settled</Text>}
    </div>
  );
}

/** On its own screen: the state of a delivery, the next step, and the advice for the last failure. */
export function DeliveryPendingState({ delivery }: { delivery: Schema<'DeliveryDetailDto'> }) {
  const { state, consumerId, consumerName, paymentId, holdReason, settlement, attempts } = delivery;
  const earlier = paymentId === null ? null : new URLSearchParams({ paymentId, consumerId }).toString();
  return (
    <Paper withBorder p="md">
      <Stack gap="xs" align="flex-start">
        <DeliveryState {...delivery} />
        <Text component="div">
          {state !== 'held' && <strong>{STATES[state].meaning}. </strong>}
          <DeliverySummary delivery={delivery} />
          {state === 'queued' && ' Nothing to do unless it is urgent.'}
          {state === 'dead' &&
            settlement === null &&
            ' When the cause is gone, retry it; if it was dealt with otherwise, settle it.'}
        </Text>
        {holdReason === 'order' && earlier !== null && (
          <TextLink fw={600} to={`/deliveries?${earlier}`}>
            See the earlier status
          </TextLink>
        )}
        {holdReason !== null && holdReason !== 'order' && (
          <TextLink fw={600} to={`/consumers/${consumerId}`}>
            Go to {consumerName}
          </TextLink>
        )}
        <LastAttempt attempts={attempts} />
      </Stack>
    </Paper>
  );
}

/** In a list of one event's deliveries: the consumer, the state, and the link to the delivery. */
export function DeliveryInWords({ delivery }: { delivery: Delivery }) {
  const isViewer = useMay('viewer');
  const { state, deliveryId, consumerName, lastOutcome, lastHttpStatus } = delivery;
  return (
    <Group gap="sm" align="flex-start">
      <DeliveryState {...delivery} />
      <Text component="div" style={{ flex: '1 1 16rem' }}>
        {isViewer ? (
          <TextLink fw={600} to={`/deliveries/${deliveryId}`}>
            {consumerName}
          </TextLink>
        ) : (
          <strong>{consumerName}</strong>
        )}
        <div>
          <DeliverySummary delivery={delivery} />
          {state !== 'delivered' &&
            lastOutcome !== null &&
            ` Last attempt: ${outcomeInWords(lastOutcome, lastHttpStatus)}.`}
        </div>
      </Text>
    </Group>
  );
}

/** Why a delivery ended. */
const ENDS: Readonly<Record<NonNullable<Delivery['endReason']>, string>> = {
  acknowledged: 'It answered 2xx in time.',
  schedule_used_up: 'Every attempt of the retry schedule failed.',
  pending_too_long:
    'It was not delivered within 14 days of its acceptance; time paused and time lost to faults of the dispatcher are not counted.',
  consumer_removed: 'Its consumer was removed.',
  cancelled_manually: 'The audit log has who cancelled it and why.',
};

/** Why a delivery waits, or why it ended. */
function DeliverySummary({ delivery }: { delivery: Delivery }) {
  const { state, attemptCount, nextAttemptAt, holdReason, heldSince, endReason, finishedAt } = delivery;
  const { settlement } = delivery;
  switch (state) {
    case 'queued':
      return (
        <>
          Attempt {attemptCount + 1}, automatic, is due at <Time at={nextAttemptAt} />.
        </>
      );
    case 'sending':
      return 'The result is shown in a few seconds.';
    case 'held': {
      const hold = holdReason === null ? null : HOLDS[holdReason];
      return (
        <>
          {hold !== null && <strong>{hold.label}. </strong>}
          Held since <Time at={heldSince} />. {hold?.why}
          {hold !== null && <strong> Continues when:</strong>} {hold?.endsWhen}
        </>
      );
    }
    case 'delivered':
    case 'dead':
    case 'cancelled':
      return (
        <>
          {endReason !== null && ENDS[endReason]} Ended at <Time at={finishedAt} /> after{' '}
          {attemptCount === 1 ? '1 attempt' : `${String(attemptCount)} attempts`}.
          {settlement !== null && (
            <>
              {' '}
              Settled by {settlement.by} at <Time at={settlement.at} />: “{settlement.reason}”.
            </>
          )}
        </>
      );
  }
}
