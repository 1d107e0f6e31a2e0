import { Anchor, Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { ProblemError } from '../../api/problem-error';
import { EmptyState } from '../../feedback/empty-state';
import { QueryState } from '../../feedback/query-state';
import { CopyButton } from '../../formats/copy-button';
import { EVENT_TYPES, paymentPath } from '../../formats/event-types';
import { Page } from '../../layout/page';
import { useMay } from '../../session/use-may';
import { BulkDialog } from '../bulk-actions/bulk-dialog';
import { Envelope, useEvent } from './envelope';
import { SendToConsumerDialog } from './send-to-consumer-dialog';
import { DeliveriesInWords, Origin } from './recipients';

/** One event: what is sent, and to whom. */
export function EventPage() {
  const { notificationId = '' } = useParams();
  const query = useEvent(notificationId);
  const { data, error } = query;
  const isOnCall = useMay('oncall');
  const [open, setOpen] = useState<'send' | 'replay' | 'cancel' | null>(null);
  if (data === undefined) {
    if (error instanceof ProblemError && [400, 404].includes(error.status))
      return (
        <EmptyState title="There is no such event">
          No event has the notification id “{notificationId}”, or another producer posted it.{' '}
          <Anchor component={Link} to="/payments">
            Look for its payment
          </Anchor>
          .
        </EmptyState>
      );
    return <QueryState query={query} what="event" />;
  }
  const { eventType, paymentId, status, deliveries } = data;
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
      <QueryState query={query} what="event" />
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
        <Origin event={data} />
      </Text>
      <section>
        <Title order={2} size="h4" mb="xs">
          Consumers
        </Title>
        <DeliveriesInWords deliveries={deliveries} />
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
