import { Stack, Text, Title } from '@mantine/core';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { JsonView } from '../../formats/json-view';
import { useMay } from '../../session/use-may';
import { DeliveryInWords } from '../payments/recipients';
import { useEvent } from '../payments/use-events';
import type { Delivery } from './delivery-acts';

/** The event's other deliveries, and its envelope. */
export function EventPanel({ delivery }: { delivery: Delivery }) {
  const { notificationId, deliveryId, consumerName } = delivery;
  const { data, error, refetch } = useEvent(notificationId);
  const seesAll = useMay('oncall');
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
        {data !== undefined && (
          <>
            <Text size="sm" c="dimmed">
              {seesAll
                ? 'In full, and indented here: the consumer gets it on one line, always the same bytes.'
                : 'Account numbers are masked to their last four characters: your role is viewer. The consumer gets them in full; the role oncall sees them.'}
            </Text>
            <JsonView what={seesAll ? 'Envelope' : 'Envelope, masked'} value={data.envelope} />
          </>
        )}
      </Stack>
    </>
  );
}
