import { Alert, Anchor, Button, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { ProblemError } from '../../api/problem-error';
import type { Schema } from '../../api/schema';
import { EmptyState } from '../../feedback/empty-state';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { CopyButton } from '../../formats/exact-text';
import { EVENT_TYPES } from '../../formats/event-types';
import { Time } from '../../formats/time';
import { Page } from '../../layout/page';
import { useMay } from '../../session/use-may';
import { ConsumersOfPayment } from './consumers-of-payment';
import { DeliveryInWords, eventPath, UnroutedBadge } from './recipients';
import { SendToConsumerDialog } from './send-to-consumer-dialog';
import { useTransaction, type Kind } from './use-transactions';

type Status = Schema<'PaymentStatusDto'>;

/** The path's parts; anything but the two kinds is no payment. */
export function PaymentPage() {
  const { kind, paymentId } = useParams();
  if ((kind !== 'ach' && kind !== 'wire') || paymentId === undefined)
    return <NoSuchPayment id={paymentId ?? ''} />;
  return <Payment kind={kind} paymentId={paymentId} />;
}

function Payment({ kind, paymentId }: { kind: Kind; paymentId: string }) {
  const { data, error, refetch } = useTransaction(kind, paymentId);
  const isOnCall = useMay('oncall');
  const [chosen, setChosen] = useState<Status | null>(null);
  if (data === undefined && error instanceof ProblemError && error.status === 404)
    return <NoSuchPayment id={paymentId} />;
  const eventType = `${kind}.status` as const;
  return (
    <Page
      title={`${EVENT_TYPES[eventType].label} payment ${paymentId}`}
      about={
        data !== undefined && (
          <>
            Newest status: <strong>{data.newestStatus ?? 'none'}</strong>. {data.statusCount}{' '}
            {data.statusCount === 1 ? 'status' : 'statuses'}.{' '}
            <CopyButton value={paymentId} what="the payment id" />
          </>
        )
      }
      actions={
        <Button component={Link} to="/payments" variant="default" leftSection={<IconArrowLeft size={16} />}>
          All payments
        </Button>
      }
    >
      {error !== null && (
        <ProblemAlert error={error} title="The payment cannot be read" onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <LoadingState what="the payment" />}
      {data !== undefined && (
        <>
          <ConsumersOfPayment statuses={data.statuses} />
          {data.statuses.length < data.statusCount && (
            <Alert color="yellow" title="Not every status is shown">
              <Text size="sm">
                {data.statuses.length} of {data.statusCount}: the newest, and for a producer those that it
                posted.
              </Text>
            </Alert>
          )}
          <Stack
            component="ol"
            gap="md"
            p={0}
            m={0}
            style={{ listStyle: 'none' }}
            aria-label="Statuses in order"
          >
            {data.statuses.map((status) => (
              <PaymentStatus
                key={status.notificationId}
                status={status}
                {...(isOnCall ? { onSend: () => setChosen(status) } : {})}
              />
            ))}
          </Stack>
        </>
      )}
      <SendToConsumerDialog
        event={chosen === null ? null : { ...chosen, eventType, paymentId }}
        existing={chosen?.deliveries.map(({ consumerId }) => consumerId) ?? []}
        onClose={() => setChosen(null)}
      />
    </Page>
  );
}

function NoSuchPayment({ id }: { id: string }) {
  return (
    <EmptyState title="There is no such payment">
      No event of “{id}” was ever accepted, or it was posted by somebody else.{' '}
      <Anchor component={Link} to={`/payments?${new URLSearchParams({ q: id }).toString()}`}>
        Look for it by its other ids
      </Anchor>{' '}
      or go to the{' '}
      <Anchor component={Link} to="/payments">
        newest payments
      </Anchor>
      .
    </EmptyState>
  );
}

/** One status of a payment and each consumer's copy of it; `onSend` offers to send it to one more. */
function PaymentStatus({ status, onSend }: { status: Status; onSend?: () => void }) {
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
            Event<VisuallyHidden> of status {number}</VisuallyHidden>
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
            <Text>No consumer has its company id and takes its type.</Text>
          </Group>
        )}
        {deliveries.map((delivery) => (
          <DeliveryInWords key={delivery.deliveryId} delivery={delivery} />
        ))}
      </Stack>
    </Paper>
  );
}
