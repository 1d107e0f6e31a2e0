import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Schema } from '../../api/schema';
import { HoldInWords } from '../../formats/hold-in-words';
import { OutcomeInWords } from '../../formats/outcome-in-words';
import { StateBadge, STATES } from '../../formats/state-badge';
import { Time } from '../../formats/time';
import type { Delivery } from './delivery-acts';
import { ENDS } from './end-in-words';
import { useFailureAdvice } from './use-failure-advice';

/** How a delivery stands and what comes next, for somebody who reads one sentence. */
export function DeliveryStanding({ delivery }: { delivery: Schema<'DeliveryDetailDto'> }) {
  const { state, consumerId } = delivery;
  const last = delivery.attempts.at(-1);
  return (
    <Paper withBorder p="md">
      <Stack gap="xs" align="flex-start">
        <StateBadge state={state} />
        <Text component="div">
          <strong>{STATES[state].meaning}.</strong> <Rest {...delivery} />
        </Text>
        {last !== undefined && last.outcome !== 'acknowledged' && (
          <LastFailure consumerId={consumerId} attempt={last} />
        )}
      </Stack>
    </Paper>
  );
}

/** What went wrong last, and what to do about it. */
function LastFailure({ consumerId, attempt }: { consumerId: string; attempt: Schema<'AttemptDto'> }) {
  const advice = useFailureAdvice(consumerId, attempt);
  return (
    <Text component="div">
      <strong>Last attempt:</strong>{' '}
      <OutcomeInWords outcome={attempt.outcome} httpStatus={attempt.httpStatus} />. {advice}
    </Text>
  );
}

function Rest(delivery: Delivery) {
  const { state, attemptCount, nextAttemptAt, holdReason, heldSince, endReason, finishedAt } = delivery;
  switch (state) {
    case 'queued':
      return (
        <>
          Attempt {attemptCount + 1} is due <Time at={nextAttemptAt} />. Nothing to do unless it is urgent.
        </>
      );
    case 'sending':
      return <>What came of it shows here in a few seconds.</>;
    case 'held':
      return (
        <>
          Held since <Time at={heldSince} />.{holdReason !== null && <HoldInWords reason={holdReason} />}
          <WhereToRelease {...delivery} />
        </>
      );
    case 'delivered':
    case 'dead':
    case 'cancelled':
      return (
        <>
          {endReason !== null && ENDS[endReason]} Ended <Time at={finishedAt} /> after {attemptCount}{' '}
          {attemptCount === 1 ? 'attempt' : 'attempts'}.
          {state === 'dead' && ' When the cause below is gone, retry it.'}
        </>
      );
  }
}

/** Where whatever holds it can be seen and ended. */
function WhereToRelease({ holdReason, consumerId, consumerName, paymentId }: Delivery) {
  switch (holdReason) {
    case 'order':
      return paymentId === null ? null : (
        <Anchor
          component={Link}
          to={`/deliveries?${new URLSearchParams({ paymentId, consumerId }).toString()}`}
        >
          See the earlier one
        </Anchor>
      );
    case 'paused':
    case 'circuit':
    case 'secret':
    case 'concurrency':
      return (
        <Anchor component={Link} to={`/consumers/${consumerId}`}>
          Go to {consumerName}
        </Anchor>
      );
    case null:
      return null;
  }
}
