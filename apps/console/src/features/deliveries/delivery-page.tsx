import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { QueryState } from '../../feedback';
import { CopiedId, EVENT_TYPES, Fact, paymentPath, TextLink, Time } from '../../formats';
import { Page } from '../../page/page';
import { Section } from '../../page/section';
import { useDelivery } from '../../queries/use-delivery';
import { Envelope, useEvent } from './envelope';
import { AttemptTimeline } from './attempt-timeline';
import { DeliveryActions } from './delivery-actions';
import { nameOf, type Delivery } from './delivery-commands';
import { DeliveryInWords, DeliveryPendingState } from './delivery-in-words';
import { listInView } from './deliveries-in-view';

/** One delivery: its state, the reason, the attempts, and the commands. */
export function DeliveryPage() {
  const { id = '' } = useParams();
  const query = useDelivery(id);
  const { data } = query;
  const filters = listInView();
  return (
    <Page
      title={data === undefined ? 'Delivery' : nameOf(data)}
      about={
        <TextLink to={`/deliveries${filters}`}>
          {filters === '' ? 'All deliveries' : 'Back to the filtered list'}
        </TextLink>
      }
      actions={data !== undefined && <DeliveryActions delivery={data} />}
    >
      <QueryState query={query} what="delivery" />
      {data !== undefined && (
        <Stack gap="lg">
          <DeliveryPendingState delivery={data} />
          <DeliveryFacts delivery={data} />
          <AttemptTimeline delivery={data} />
          <EventPanel delivery={data} />
        </Stack>
      )}
    </Page>
  );
}

/** The consumer, payment, times and ids of a delivery. */
function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { consumerId, consumerName, paymentId, eventType, notificationId, deliveryId } = delivery;
  return (
    <SimpleGrid component="dl" cols={{ base: 1, sm: 2, lg: 3 }} m={0} spacing="md">
      <Fact name="Consumer">
        <TextLink to={`/consumers/${consumerId}`}>{consumerName}</TextLink>
      </Fact>
      <Fact name={`Payment (${EVENT_TYPES[eventType].label})`}>
        {paymentId === null ? (
          'Without an id'
        ) : (
          <TextLink to={paymentPath(eventType, paymentId)}>{paymentId}: all its statuses</TextLink>
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
        <CopiedId value={notificationId} what="the notificationId" />
      </Fact>
      <Fact name="Delivery">
        <CopiedId value={deliveryId} what="the deliveryId" />
      </Fact>
    </SimpleGrid>
  );
}

/** The event's other deliveries, and its envelope. */
function EventPanel({ delivery }: { delivery: Delivery }) {
  const { notificationId, deliveryId, consumerName } = delivery;
  const event = useEvent(notificationId);
  const { data } = event;
  const others = data?.deliveries.filter((other) => other.deliveryId !== deliveryId) ?? [];
  return (
    <>
      <Section title="Other consumers of this event">
        {data !== undefined && others.length === 0 && (
          <Text>{consumerName} is the only consumer of this event.</Text>
        )}
        {others.map((other) => (
          <DeliveryInWords key={other.deliveryId} delivery={other} />
        ))}
      </Section>
      <Section title="What is sent">
        <QueryState query={event} what="event" />
        {data !== undefined && <Envelope key={notificationId} event={data} />}
      </Section>
    </>
  );
}
