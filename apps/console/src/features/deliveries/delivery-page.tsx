import { Anchor, Stack } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { Page } from '../../layout/page';
import { AttemptTimeline } from './attempt-timeline';
import { DeliveryActions } from './delivery-actions';
import { DeliveryFacts } from './delivery-facts';
import { DeliveryStanding } from './delivery-standing';
import { EventPanel } from './event-panel';
import { useDelivery } from './use-delivery';

/** One delivery: how it stands, why, what was tried, and what can be done. */
export function DeliveryPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useDelivery(id);
  return (
    <Page
      title={
        data === undefined
          ? 'Delivery'
          : `${data.paymentId ?? 'A payment without an id'} to ${data.consumerName}`
      }
      about={
        <Anchor component={Link} to="/deliveries">
          All deliveries
        </Anchor>
      }
      actions={data !== undefined && <DeliveryActions delivery={data} />}
    >
      {error !== null && <ProblemAlert error={error} what="Delivery" onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingState what="the delivery" />}
      {data !== undefined && (
        <Stack gap="lg">
          <DeliveryStanding delivery={data} />
          <DeliveryFacts delivery={data} />
          <AttemptTimeline attempts={data.attempts} />
          <EventPanel delivery={data} />
        </Stack>
      )}
    </Page>
  );
}
