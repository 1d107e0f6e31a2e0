import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router';
import { ProblemError } from '../../api';
import { EmptyState, QueryState } from '../../feedback';
import { CopyButton, EVENT_TYPES, paymentPath, TextLink } from '../../formats';
import { Page } from '../../page/page';
import { Section } from '../../page/section';
import { useMay } from '../../signed-in/use-me';
import { BulkDialog } from '../bulk-actions/bulk-dialog';
import { Envelope, useEvent } from '../deliveries/envelope';
import { SendToConsumerDialog } from './send-to-consumer-dialog';
import { DeliveriesInWords, Origin } from './recipients';

/** The bulk actions on the deliveries of the event. */
const BULK = [
  { kind: 'replay', label: 'Replay', title: 'Replay this event to all its consumers' },
  { kind: 'cancel', label: 'Cancel everywhere', title: 'Cancel this event everywhere' },
] as const;

/** One event: its envelope and its consumers. */
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
          <TextLink to="/payments">Look for its payment</TextLink>.
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
            {deliveries.length > 0 &&
              BULK.map(({ kind, label }) => (
                <Button key={kind} variant="default" onClick={() => setOpen(kind)}>
                  {label} …
                </Button>
              ))}
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
          'It has no payment id, so it is not kept in order with other events. '
        ) : (
          <>
            A status of the payment <TextLink to={paymentPath(eventType, paymentId)}>{paymentId}</TextLink>
            .{' '}
          </>
        )}
        <Origin event={data} />
      </Text>
      <Section title="Consumers">
        <DeliveriesInWords deliveries={deliveries} />
      </Section>
      <Section title="What is sent">
        <Envelope key={notificationId} event={data} />
      </Section>
      <SendToConsumerDialog
        event={open === 'send' ? data : null}
        existing={deliveries.map(({ consumerId }) => consumerId)}
        onClose={close}
      />
      {BULK.map(({ kind, title }) => (
        <BulkDialog
          key={kind}
          opened={open === kind}
          onClose={close}
          kind={kind}
          title={title}
          filter={{ notificationId }}
        />
      ))}
    </Page>
  );
}
