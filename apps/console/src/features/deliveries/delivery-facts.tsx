import { Anchor, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CopyButton } from '../../formats/copy-button';
import { EVENT_TYPES, paymentPath } from '../../formats/event-types';
import { Time } from '../../formats/time';
import type { Delivery } from './delivery-acts';
import styles from './delivery-facts.module.css';

/** Whose delivery it is, of what, and since when. */
export function DeliveryFacts({ delivery }: { delivery: Delivery }) {
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
    <div className={styles['fact']}>
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
