import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { Schema } from '../../api/schema';
import { HoldInWords } from '../../formats/hold-in-words';
import { OutcomeInWords } from '../../formats/outcome-in-words';
import { STATES } from '../../formats/state-badge';
import { Time } from '../../formats/time';
import { DeliveryState } from './delivery-columns';
import { ENDS, type Delivery } from './delivery-acts';

/** A delivery's state and what comes next, for somebody who reads one sentence. */
export function DeliveryStanding({ delivery }: { delivery: Schema<'DeliveryDetailDto'> }) {
  const { state, consumerId } = delivery;
  const last = delivery.attempts.at(-1);
  return (
    <Paper withBorder p="md">
      <Stack gap="xs" align="flex-start">
        <DeliveryState {...delivery} />
        <Text component="div">
          <strong>{STATES[state].meaning}.</strong> <DeliveryStory delivery={delivery} />
        </Text>
        {last !== undefined && last.outcome !== 'acknowledged' && (
          <LastFailure consumerId={consumerId} attempt={last} />
        )}
      </Stack>
    </Paper>
  );
}

/** The api groups a consumer's failures of a time; this much around the attempt holds the attempt itself. */
const AROUND_MS = 60_000;

/** What went wrong last, and what to do about it. */
function LastFailure({ consumerId, attempt }: { consumerId: string; attempt: Schema<'AttemptDto'> }) {
  const { outcome, httpStatus, startedAt } = attempt;
  const at = Date.parse(startedAt);
  const query = {
    from: new Date(at - AROUND_MS).toISOString(),
    to: new Date(at + AROUND_MS).toISOString(),
  };
  const { data } = useQuery({
    queryKey: ['consumers', consumerId, 'failures', query],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/consumers/{id}/failures', { params: { path: { id: consumerId }, query }, signal }),
      ),
    refetchInterval: false,
    staleTime: Infinity,
    // A removed consumer is not advised on.
    retry: false,
  });
  const alike = data?.failures.find((group) => group.outcome === outcome && group.httpStatus === httpStatus);
  return (
    <Text component="div">
      <strong>Last attempt:</strong> <OutcomeInWords outcome={outcome} httpStatus={httpStatus} />.{' '}
      {alike?.advice}
    </Text>
  );
}

/** What a delivery waits for, or how it ended; `isBrief` for lists, where another screen says what to do. */
export function DeliveryStory({ delivery, isBrief = false }: { delivery: Delivery; isBrief?: boolean }) {
  const { state, attemptCount, nextAttemptAt, holdReason, heldSince, endReason, finishedAt } = delivery;
  const { settlement, lastOutcome, lastHttpStatus } = delivery;
  const attempts = attemptCount === 1 ? '1 attempt' : `${String(attemptCount)} attempts`;
  const last =
    isBrief && state !== 'delivered' && lastOutcome !== null ? (
      <>
        {' '}
        Last: <OutcomeInWords outcome={lastOutcome} httpStatus={lastHttpStatus} />.
      </>
    ) : null;
  switch (state) {
    case 'queued':
      return (
        <>
          Attempt {attemptCount + 1}, automatic, is due <Time at={nextAttemptAt} />.{last}
          {!isBrief && ' Nothing to do unless it is urgent.'}
        </>
      );
    case 'sending':
      return <>The result is shown in a few seconds.{last}</>;
    case 'held':
      return (
        <>
          Held since <Time at={heldSince} />.{last}
          {holdReason !== null && <HoldInWords reason={holdReason} />}
          {!isBrief && <WhereToRelease {...delivery} />}
        </>
      );
    case 'delivered':
    case 'dead':
    case 'cancelled':
      return (
        <>
          {endReason !== null && ENDS[endReason]} Ended <Time at={finishedAt} /> after {attempts}.{last}
          {settlement !== null && (
            <>
              {' '}
              Settled by {settlement.by} <Time at={settlement.at} />: “{settlement.reason}”.
            </>
          )}
          {state === 'dead' &&
            settlement === null &&
            !isBrief &&
            ' When the cause is gone, retry it; if it was dealt with otherwise, settle it.'}
        </>
      );
  }
}

/** Where what holds it can be seen and ended. */
function WhereToRelease({ holdReason, consumerId, consumerName, paymentId }: Delivery) {
  switch (holdReason) {
    case 'order':
      return paymentId === null ? null : (
        <Anchor
          component={Link}
          to={`/deliveries?${new URLSearchParams({ paymentId, consumerId }).toString()}`}
        >
          See the earlier status
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
