import { Stack, Text, Title } from '@mantine/core';
import { EmptyState } from '../../feedback/empty-state';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { EventTable } from './event-table';
import { usePaymentSearch, type Key } from './use-payment-search';

const KEY_LABELS: Readonly<Record<Key, string>> = {
  notificationId: 'notification id',
  paymentId: 'payment id (ACH transaction id or wire payment id)',
  traceNumber: 'ACH trace number',
  imad: 'wire IMAD',
};

/** What was found, under the key that it was found by. */
export function SearchResults({ wanted }: { wanted: string }) {
  const { data, error, refetch } = usePaymentSearch(wanted);
  if (data === undefined)
    return error === null ? (
      <LoadingState what={`whatever is known by “${wanted}”`} />
    ) : (
      <ProblemAlert error={error} title="The search failed" onRetry={() => void refetch()} />
    );
  if (data.length === 0)
    return (
      <EmptyState title={`Nothing is known by “${wanted}”`}>
        It was looked for as payment id, trace number, IMAD and notification id, exactly as it is written.
        Check for missing or added characters. If it is right, the dispatcher never accepted an event of it:
        ask the system that posts payments, or look for it among the newest payments.
      </EmptyState>
    );
  return (
    <Stack>
      <div role="status">
        {data.map(({ key, events, hasMore }) => (
          <Text key={key}>
            “{wanted}” is the <strong>{KEY_LABELS[key]}</strong> of {hasMore ? 'more than ' : ''}
            {events.length} {events.length === 1 ? 'event' : 'events'}.
          </Text>
        ))}
      </div>
      {data.map(({ key, events, hasMore }) => (
        <section key={key}>
          <Title order={2} size="h4">
            Found by {KEY_LABELS[key]}
          </Title>
          <EventTable caption={`Events found by ${KEY_LABELS[key]}`} events={events} />
          {hasMore && <Text c="dimmed">The newest {events.length} are shown; open one for the others.</Text>}
        </section>
      ))}
    </Stack>
  );
}
