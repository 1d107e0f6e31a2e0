import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { ProblemError } from '../../api/problem-error';
import { EmptyState } from '../../feedback/empty-state';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { CopyButton } from '../../formats/exact-text';
import { EVENT_TYPES, paymentPath } from '../../formats/event-types';
import { Time } from '../../formats/time';
import { Page } from '../../layout/page';
import { useMay } from '../../session/use-may';
import { BulkDialog } from '../bulk-actions/bulk-dialog';
import { Envelope } from './envelope';
import { SendToConsumerDialog } from './send-to-consumer-dialog';
import { DeliveryInWords, UnroutedBadge } from './recipients';
import { useEvent } from './use-events';

/** One event: what is sent, and to whom. */
export function EventPage() {
  const { notificationId = '' } = useParams();
  const { data, error, refetch } = useEvent(notificationId);
  const isOnCall = useMay('oncall');
  const [open, setOpen] = useState<'send' | 'replay' | 'cancel' | null>(null);
  if (data === undefined) {
    if (error === null) return <LoadingState what="the event" />;
    if (error instanceof ProblemError && [400, 404].includes(error.status))
      return (
        <EmptyState title="There is no such event">
          No event has the notification id “{notificationId}”, or it was posted by somebody else.{' '}
          <Anchor component={Link} to="/payments">
            Look for its payment
          </Anchor>
          .
        </EmptyState>
      );
    return <ProblemAlert error={error} title="The event cannot be read" onRetry={() => void refetch()} />;
  }
  const { eventType, paymentId, status, traceNumber, imad, deliveries } = data;
  const close = (): void => setOpen(null);
  return (
    <Page
      title={`${EVENT_TYPES[eventType].label} event: ${status ?? 'without a status'}`}
      about={
        <>
          Notification {notificationId} <CopyButton value={notificationId} what="the notification id" />
        </>
      }
      actions={
        isOnCall && (
          <>
            {deliveries.length > 0 && (
              <>
                <Button variant="default" onClick={() => setOpen('replay')}>
                  Replay …
                </Button>
                <Button variant="default" onClick={() => setOpen('cancel')}>
                  Cancel everywhere …
                </Button>
              </>
            )}
            <Button variant="default" onClick={() => setOpen('send')}>
              Send to a consumer
            </Button>
          </>
        )
      }
    >
      {error !== null && <ProblemAlert error={error} title="This may be old" />}
      <Text>
        {paymentId === null ? (
          'Without a payment id, so in no order with other events. '
        ) : (
          <>
            A status of the payment{' '}
            <Anchor component={Link} to={paymentPath(eventType, paymentId)}>
              {paymentId}
            </Anchor>
            .{' '}
          </>
        )}
        Happened <Time at={data.eventDateTime} />. Accepted <Time at={data.acceptedAt} /> from {data.producer}
        .{traceNumber !== null && ` Trace number ${traceNumber}.`}
        {imad !== null && ` IMAD ${imad}.`}
      </Text>
      <section>
        <Title order={2} size="h4" mb="xs">
          Consumers
        </Title>
        <Stack gap="sm">
          {deliveries.length === 0 && (
            <Text component="div">
              <UnroutedBadge /> No consumer has its company id and takes its type.
            </Text>
          )}
          {deliveries.map((delivery) => (
            <DeliveryInWords key={delivery.deliveryId} delivery={delivery} />
          ))}
        </Stack>
      </section>
      <section>
        <Title order={2} size="h4">
          What is sent
        </Title>
        <Envelope key={notificationId} event={data} />
      </section>
      <SendToConsumerDialog
        event={open === 'send' ? data : null}
        existing={deliveries.map(({ consumerId }) => consumerId)}
        onClose={close}
      />
      <BulkDialog
        opened={open === 'replay'}
        onClose={close}
        kind="replay"
        title="Replay this event to all its consumers"
        filter={{ notificationId }}
      />
      <BulkDialog
        opened={open === 'cancel'}
        onClose={close}
        kind="cancel"
        title="Cancel this event everywhere"
        filter={{ notificationId }}
      />
    </Page>
  );
}
