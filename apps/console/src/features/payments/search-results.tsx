import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { SyntheticEvent } from 'react';
import { useSearchParams } from 'react-router';
import { answerOf, api, type ListQuery, ProblemError } from '../../api';
import { EmptyState } from '../../feedback/empty-state';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { DataTable, type Column } from '../../tables/data-table';
import { EVENT_COLUMNS, pathOfEvent, RecipientsInWords, type PaymentEvent } from './recipients';

/** The one box for any number that a caller reads out. What was searched is in the URL. */
export function PaymentSearch({ wanted }: { wanted: string }) {
  const [, setSearch] = useSearchParams();
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('q');
    const q = typeof typed === 'string' ? typed.trim() : '';
    setSearch(q === '' ? {} : { q });
  };
  return (
    <form role="search" aria-label="Find a payment" onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          // Made anew when the URL changes by other means.
          key={wanted}
          name="q"
          type="search"
          label="Find a payment"
          description="Transaction id, payment id, notification id, trace number or IMAD; exact match"
          defaultValue={wanted}
          maxLength={255}
          data-search
          style={{ flex: '1 1 20rem' }}
        />
        <Button type="submit" leftSection={<IconSearch size={16} />}>
          Find
        </Button>
        {wanted !== '' && (
          <Button variant="default" onClick={() => setSearch({})}>
            Show all payments
          </Button>
        )}
      </Group>
    </form>
  );
}

/** What an event is found by, in the order in which matches are shown. */
const KEYS = [
  { key: 'notificationId', label: 'notification id' },
  { key: 'paymentId', label: 'payment id' },
  { key: 'traceNumber', label: 'trace number' },
  { key: 'imad', label: 'IMAD' },
] as const;

const COLUMNS: readonly Column<PaymentEvent>[] = [
  ...EVENT_COLUMNS.slice(0, 2),
  { header: 'Consumers', cell: ({ recipients }) => <RecipientsInWords recipients={recipients} /> },
  ...EVENT_COLUMNS.slice(2),
];

/** What was found, under the key that it was found by. */
export function SearchResults({ wanted }: { wanted: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['payment-search', wanted],
    queryFn: async ({ signal }) => {
      const search = async ({ key, label }: (typeof KEYS)[number]) =>
        key === 'notificationId'
          ? { label, events: await eventsWithId(wanted, signal), hasMore: false }
          : { label, ...(await eventsWith({ [key]: wanted }, signal)) };
      return (await Promise.all(KEYS.map(search))).filter(({ events }) => events.length > 0);
    },
  });
  if (data === undefined)
    return error === null ? (
      <LoadingState what={`results for “${wanted}”`} />
    ) : (
      <ProblemAlert error={error} title="The search failed" onRetry={() => void refetch()} />
    );
  if (data.length === 0)
    return (
      <EmptyState title={`No results for “${wanted}”`}>
        No event has this payment id, trace number, IMAD or notification id; only exact matches are found.
        Check for missing or added characters. If it is right, the dispatcher never accepted an event of it:
        ask the system that posts payments, or look for it among the newest payments.
      </EmptyState>
    );
  return data.map(({ label, events, hasMore }) => (
    <Stack component="section" gap="xs" key={label}>
      <Title order={2} size="h4">
        {hasMore ? 'More than ' : ''}
        {events.length} {events.length === 1 ? 'event' : 'events'} for {label} {wanted}
      </Title>
      <DataTable
        caption={`Events found by ${label}`}
        columns={COLUMNS}
        rows={events}
        rowId={({ notificationId }) => notificationId}
        rowLink={pathOfEvent}
      />
      {hasMore && <Text c="dimmed">The newest {events.length} are shown; open one for the others.</Text>}
    </Stack>
  ));
}

const SHOWN_OF_EACH = 20;

async function eventsWith(by: ListQuery<'/v1/events'>, signal: AbortSignal) {
  const params = { query: { ...by, limit: SHOWN_OF_EACH } };
  const { events, pagination } = await answerOf(api.GET('/v1/events', { params, signal }));
  return { events, hasMore: pagination.moreRecords };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function eventsWithId(notificationId: string, signal: AbortSignal): Promise<PaymentEvent[]> {
  if (!UUID.test(notificationId)) return [];
  try {
    const params = { path: { notificationId } };
    return [await answerOf(api.GET('/v1/events/{notificationId}', { params, signal }))];
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return [];
    throw error;
  }
}
