import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Schema } from '../../api/schema';
import { HOLDS } from '../../formats/hold-in-words';
import { OUTCOMES } from '../../formats/outcome-in-words';
import { StateBadge } from '../../formats/state-badge';
import { Time } from '../../formats/time';
import { useMay } from '../../session/use-may';
import { ENDS } from '../deliveries/end-in-words';

type Delivery = Schema<'DeliveryDto'>;

/** One consumer's copy of one event: how it stands, what is waited for, and the way to it. */
export function DeliveryInWords({ delivery }: { delivery: Delivery }) {
  const isViewer = useMay('viewer');
  const isGap = delivery.state === 'dead' || delivery.state === 'cancelled';
  return (
    <Group gap="sm" align="flex-start" wrap="wrap">
      <StateBadge state={delivery.state} />
      <Text component="div" style={{ flex: '1 1 16rem' }}>
        {isViewer ? (
          <Anchor component={Link} to={`/deliveries/${delivery.deliveryId}`} fw={600}>
            {delivery.consumerName}
          </Anchor>
        ) : (
          <strong>{delivery.consumerName}</strong>
        )}
        {isGap && <strong> · Gap: this consumer has not got it</strong>}
        <div>
          <WhatIsWaitedFor delivery={delivery} />
        </div>
      </Text>
    </Group>
  );
}

function WhatIsWaitedFor({ delivery }: { delivery: Delivery }) {
  const { state, attemptCount, lastOutcome, lastHttpStatus, endReason, holdReason } = delivery;
  const tries = attemptCount === 1 ? 'once' : `${String(attemptCount)} times`;
  const last =
    lastOutcome === null
      ? ''
      : `Last: ${OUTCOMES[lastOutcome]}${lastHttpStatus === null ? '' : ` (HTTP ${String(lastHttpStatus)})`}.`;
  switch (state) {
    case 'delivered':
      return (
        <>
          Acknowledged <Time at={delivery.finishedAt} />
          {attemptCount > 1 && `, tried ${tries}`}
        </>
      );
    case 'queued':
      return (
        <>
          {attemptCount === 0 ? 'First try' : `Tried ${tries}. ${last} Next try`}{' '}
          <Time at={delivery.nextAttemptAt} absent="in its turn" />
        </>
      );
    case 'sending':
      return <>Is being sent at this moment{attemptCount > 0 && `, tried ${tries} before`}.</>;
    case 'held':
      return holdReason === null ? (
        <>Waits.</>
      ) : (
        <>
          {HOLDS[holdReason].why} <strong>Goes on when:</strong> {HOLDS[holdReason].endsWhen} Held since{' '}
          <Time at={delivery.heldSince} />. {last}
        </>
      );
    case 'dead':
    case 'cancelled':
      return (
        <>
          {endReason !== null && ENDS[endReason]} Ended <Time at={delivery.finishedAt} />, tried{' '}
          {attemptCount === 0 ? 'never' : tries}. {last} Open it to send it again.
        </>
      );
  }
}
