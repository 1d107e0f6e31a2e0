import { Stack, Text, Title } from '@mantine/core';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { Envelope } from '../payments/envelope';
import { DeliveryInWords } from '../payments/recipients';
import { useEvent } from '../payments/use-events';
import type { Delivery } from './delivery-acts';

/** The event's other deliveries, and its envelope. */
export function EventPanel({ delivery }: { delivery: Delivery }) {
  const { notificationId, deliveryId, consumerName } = delivery;
  const { data, error, refetch } = useEvent(notificationId);
  const others = data?.deliveries.filter((other) => other.deliveryId !== deliveryId) ?? [];
  return (
    <>
      <Stack component="section" aria-labelledby="elsewhere" gap="sm">
        <Title order={2} size="h3" id="elsewhere">
          Other consumers of this event
        </Title>
        {data !== undefined && others.length === 0 && (
          <Text>{consumerName} is the only consumer of this event.</Text>
        )}
        {others.map((other) => (
          <DeliveryInWords key={other.deliveryId} delivery={other} />
        ))}
      </Stack>
      <Stack component="section" aria-labelledby="envelope" gap="sm">
        <Title order={2} size="h3" id="envelope">
          What is sent
        </Title>
        {error !== null && (
          <ProblemAlert error={error} title="The event cannot be shown" onRetry={() => void refetch()} />
        )}
        {data === undefined && error === null && <LoadingState what="the event" />}
        {data !== undefined && <Envelope key={notificationId} event={data} />}
      </Stack>
    </>
  );
}
