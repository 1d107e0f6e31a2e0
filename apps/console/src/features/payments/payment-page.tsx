import { Alert, Button, Group, Paper, Space, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { answerOf, api, ProblemError, type Schema } from '../../api';
import { EmptyState, QueryState } from '../../feedback';
import { CopyButton, type DeliveryState, EVENT_TYPES, TextLink } from '../../formats';
import { Page } from '../../page/page';
import { useMay } from '../../signed-in/use-me';
import { type Column, DataTable } from '../../tables';
import { DeliveriesInWords, eventPath, Origin } from './recipients';
import { SendToConsumerDialog } from './send-to-consumer-dialog';

type Status = Schema<'PaymentStatusDto'>;

const PLAIN = { listStyle: 'none' } as const;

/** Reads the path; only the two kinds are payments. */
export function PaymentPage() {
  const { kind, paymentId } = useParams();
  if ((kind !== 'ach' && kind !== 'wire') || paymentId === undefined)
    return <NoSuchPayment id={paymentId ?? ''} />;
  return <Payment kind={kind} paymentId={paymentId} />;
}

function Payment({ kind, paymentId }: { kind: 'ach' | 'wire'; paymentId: string }) {
  const query = useQuery({
    queryKey: ['payments', kind, paymentId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/payments/{kind}/{paymentId}', { params: { path: { kind, paymentId } }, signal })),
  });
  const { data, error } = query;
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
      <QueryState query={query} what="payment" />
      {data !== undefined && (
        <>
          <ConsumersOfPayment statuses={data.statuses} />
          {data.statuses.length < data.statusCount && (
            <Alert color="yellow" title="Not every status is shown">
              <Text size="sm">
                {data.statuses.length} of {data.statusCount} statuses are shown: the newest ones, and for a
                producer only its own.
              </Text>
            </Alert>
          )}
          <Stack component="ol" gap="md" p={0} m={0} style={PLAIN} aria-label="Statuses in order">
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
      No event of “{id}” was ever accepted, or another producer posted it.{' '}
      <TextLink to={`/payments?${new URLSearchParams({ q: id }).toString()}`}>
        Look for it by its other ids
      </TextLink>{' '}
      or go to the <TextLink to="/payments">newest payments</TextLink>.
    </EmptyState>
  );
}

/** One status of a payment and each consumer's copy of it; `onSend` offers to send it to one more. */
function PaymentStatus({ status, onSend }: { status: Status; onSend?: () => void }) {
  const { number, notificationId, deliveries } = status;
  return (
    <Paper component="li" withBorder p="md">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} size="h4">
            {number}. {status.status ?? 'Without a status'}
          </Title>
          <Text size="sm">
            <Origin event={status} />
          </Text>
        </div>
        <Group gap="xs">
          <TextLink to={eventPath(notificationId)} size="sm">
            Event<VisuallyHidden> of status {number}</VisuallyHidden>
          </TextLink>
          {onSend !== undefined && (
            <Button size="compact-sm" variant="default" onClick={onSend}>
              Send to a consumer
            </Button>
          )}
        </Group>
      </Group>
      <Space h="sm" />
      <DeliveriesInWords deliveries={deliveries} />
    </Paper>
  );
}

interface OneConsumer {
  readonly consumerId: string;
  readonly name: string;
  /** Numbers of the payment's statuses. */
  readonly delivered: readonly number[];
  readonly open: readonly number[];
  readonly gaps: readonly number[];
}

const COLUMNS: readonly Column<OneConsumer>[] = [
  { header: 'Consumer', cell: (row) => <ConsumerName {...row} /> },
  { header: 'Received', cell: ({ delivered }) => numbers(delivered) },
  { header: 'Waiting for', cell: ({ open }) => numbers(open) },
  { header: 'Missing', cell: ({ gaps }) => numbers(gaps) },
];

/** Each consumer of a payment: which of its statuses it has received, is waiting for, and will not receive automatically. */
function ConsumersOfPayment({ statuses }: { statuses: readonly Status[] }) {
  const consumers = consumersOf(statuses);
  if (consumers.length === 0) return <Text>No consumer has a delivery of this payment.</Text>;
  return (
    <DataTable
      caption="Consumers of this payment"
      columns={COLUMNS}
      rows={consumers}
      rowId={({ consumerId }) => consumerId}
    />
  );
}

function consumersOf(statuses: readonly Status[]): OneConsumer[] {
  const all = statuses.flatMap(({ number, deliveries }) =>
    deliveries.map(({ state, consumerId, consumerName }) => ({ number, state, consumerId, consumerName })),
  );
  return [...Map.groupBy(all, ({ consumerId }) => consumerId)]
    .map(([consumerId, own]) => {
      const inStates = (...states: readonly DeliveryState[]): number[] =>
        own.filter(({ state }) => states.includes(state)).map(({ number }) => number);
      return {
        consumerId,
        name: own[0]?.consumerName ?? '',
        delivered: inStates('delivered'),
        open: inStates('queued', 'sending', 'held'),
        gaps: inStates('dead', 'cancelled'),
      };
    })
    .toSorted((a, b) => b.gaps.length - a.gaps.length || b.open.length - a.open.length);
}

function ConsumerName({ consumerId, name }: OneConsumer) {
  const isViewer = useMay('viewer');
  if (!isViewer) return name;
  return <TextLink to={`/consumers/${consumerId}`}>{name}</TextLink>;
}

const MOST_NUMBERS = 12;

/** `1, 2, 5`; a long list is cut. */
function numbers(of: readonly number[]): string {
  if (of.length === 0) return '–';
  const shown = of.slice(0, MOST_NUMBERS).map((number) => `#${String(number)}`);
  return of.length > MOST_NUMBERS
    ? `${shown.join(', ')} and ${String(of.length - MOST_NUMBERS)} more`
    : shown.join(', ');
}
