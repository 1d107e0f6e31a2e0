import { Anchor, Button, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router';
import type { Schema } from '../../api/schema';
import { Time } from '../../formats/time';
import { DeliveryInWords } from './delivery-in-words';
import { eventPath } from './payment-links';
import { UnroutedBadge } from './unrouted-badge';

export type Status = Schema<'PaymentStatusDto'>;

/** One status of a payment and each consumer's copy of it; `onSend` offers to send it to one more. */
export function PaymentStatus({ status, onSend }: { status: Status; onSend?: () => void }) {
  const { number, notificationId, traceNumber, imad, deliveries } = status;
  return (
    <Paper component="li" withBorder p="md">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} size="h4">
            {number}. {status.status ?? 'Without a status'}
          </Title>
          <Text size="sm">
            Happened <Time at={status.eventDateTime} />. Accepted <Time at={status.acceptedAt} /> from{' '}
            {status.producer}.{traceNumber !== null && ` Trace number ${traceNumber}.`}
            {imad !== null && ` IMAD ${imad}.`}
          </Text>
        </div>
        <Group gap="xs">
          <Anchor component={Link} to={eventPath(notificationId)} size="sm">
            What is sent<VisuallyHidden> as status {number}</VisuallyHidden>
          </Anchor>
          {onSend !== undefined && (
            <Button size="compact-sm" variant="default" onClick={onSend}>
              Send to a consumer
            </Button>
          )}
        </Group>
      </Group>
      <Stack gap="sm" mt="sm">
        {deliveries.length === 0 && (
          <Group gap="sm">
            <UnroutedBadge />
            <Text>Nobody was told: no consumer has its company id and takes its type.</Text>
          </Group>
        )}
        {deliveries.map((delivery) => (
          <DeliveryInWords key={delivery.deliveryId} delivery={delivery} />
        ))}
      </Stack>
    </Paper>
  );
}
