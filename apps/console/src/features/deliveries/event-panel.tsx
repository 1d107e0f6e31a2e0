import { Anchor, List, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { StateBadge } from '../../formats/state-badge';
import { paymentPath } from '../../formats/event-types';
import { Envelope } from '../payments/envelope';
import type { Delivery } from './delivery-acts';
import { useEvent } from './use-event';

/** What is told: the envelope; whom else it is told; and where the payment's other statuses are. */
export function EventPanel({ delivery }: { delivery: Delivery }) {
  const { notificationId, deliveryId, paymentId, eventType, consumerId, consumerName } = delivery;
  const { data, error, refetch } = useEvent(notificationId);
  const others = data?.deliveries.filter((other) => other.deliveryId !== deliveryId) ?? [];
  return (
    <>
      <Stack component="section" aria-labelledby="elsewhere" gap="sm">
        <Title order={2} size="h3" id="elsewhere">
          Same event, same payment
        </Title>
        {data !== undefined && others.length === 0 && (
          <Text>This event goes to {consumerName} and to nobody else.</Text>
        )}
        {others.length > 0 && (
          <List>
            {others.map((other) => (
              <List.Item key={other.deliveryId}>
                <Anchor component={Link} to={`/deliveries/${other.deliveryId}`} mr="xs">
                  The same event to {other.consumerName}
                </Anchor>
                <StateBadge state={other.state} />
              </List.Item>
            ))}
          </List>
        )}
        {paymentId !== null && (
          <Text>
            <Anchor component={Link} to={paymentPath(eventType, paymentId)}>
              All statuses of payment {paymentId}
            </Anchor>
            {' · '}
            <Anchor
              component={Link}
              to={`/deliveries?${new URLSearchParams({ paymentId, consumerId }).toString()}`}
            >
              its deliveries to {consumerName}
            </Anchor>
          </Text>
        )}
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
