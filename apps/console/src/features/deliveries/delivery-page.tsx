import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { CopyButton } from '../../formats/exact-text';
import { EVENT_TYPES, paymentPath } from '../../formats/event-types';
import { Time } from '../../formats/time';
import { Page } from '../../layout/page';
import { AttemptTimeline } from './attempt-timeline';
import { DeliveryActions } from './delivery-actions';
import { nameOf, type Delivery } from './delivery-acts';
import { DeliveryStanding } from './delivery-standing';
import { EventPanel } from './event-panel';
import { DELIVERIES_KEY, listInView } from './use-deliveries';

/** One delivery: its state, why, what was tried, and what can be done. */
export function DeliveryPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery({
    queryKey: [...DELIVERIES_KEY, 'one', id],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/deliveries/{id}', { params: { path: { id } }, signal })),
  });
  const filters = listInView();
  return (
    <Page
      title={data === undefined ? 'Delivery' : nameOf(data)}
      about={
        <Anchor component={Link} to={`/deliveries${filters}`}>
          {filters === '' ? 'All deliveries' : 'Back to the filtered list'}
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

/** Whose delivery it is, of what, and since when. */
function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { consumerId, consumerName, paymentId, eventType, notificationId, deliveryId } = delivery;
  return (
    <SimpleGrid component="dl" cols={{ base: 1, sm: 2, lg: 3 }} m={0} spacing="md">
      <Fact name="Consumer">
        <Anchor component={Link} to={`/consumers/${consumerId}`}>
          {consumerName}
        </Anchor>
      </Fact>
      <Fact name={`Payment (${EVENT_TYPES[eventType].label})`}>
        {paymentId === null ? (
          'Without an id'
        ) : (
          <Anchor component={Link} to={paymentPath(eventType, paymentId)}>
            {paymentId}: all its statuses
          </Anchor>
        )}
      </Fact>
      <Fact name="Status">{delivery.status ?? 'none'}</Fact>
      <Fact name="Accepted">
        <Time at={delivery.createdAt} />
      </Fact>
      <Fact name="First attempt">
        <Time at={delivery.firstAttemptAt} absent="None yet" />
      </Fact>
      <Fact name="Notification">
        <Id value={notificationId} what="the notificationId" />
      </Fact>
      <Fact name="Delivery">
        <Id value={deliveryId} what="the deliveryId" />
      </Fact>
    </SimpleGrid>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0}>
        {children}
      </Text>
    </div>
  );
}

function Id({ value, what }: { value: string; what: string }) {
  return (
    <>
      <Text span inherit ff="monospace" fz="sm">
        {value}
      </Text>{' '}
      <CopyButton value={value} what={what} />
    </>
  );
}
