import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Schema } from '../../api/schema';
import { EmptyState } from '../../feedback/empty-state';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { Time } from '../../formats/time';
import { useMay } from '../../session/use-may';
import { DataTable, type Column } from '../../tables/data-table';
import { PAGE_SIZE, Pager } from '../../tables/pager';
import { usePageOffset } from '../../tables/use-page-offset';
import { eventPath, nameOfPayment } from './payment-links';
import { SendToConsumerDialog } from './send-to-consumer-dialog';
import { useEvents } from './use-events';

type Event = Schema<'EventDto'>;

/** The events that concerned nobody, and the way to send them. */
export function UnroutedEvents() {
  const isOnCall = useMay('oncall');
  const [chosen, setChosen] = useState<Event | null>(null);
  const { data, error, refetch } = useEvents({ unrouted: true, offset: usePageOffset(), limit: PAGE_SIZE });
  const columns = useMemo(
    (): readonly Column<Event>[] => [
      {
        id: 'payment',
        header: 'Payment',
        cell: nameOfPayment,
      },
      { id: 'status', header: 'Status', cell: ({ status }) => status ?? 'none' },
      { id: 'accepted', header: 'Accepted', cell: ({ acceptedAt }) => <Time at={acceptedAt} /> },
      { id: 'who', header: 'Posted by', cell: ({ producer }) => producer },
      ...(isOnCall
        ? [
            {
              id: 'send',
              header: 'What to do',
              cell: (event: Event) => (
                <Button size="compact-sm" variant="default" onClick={() => setChosen(event)}>
                  Send to a consumer
                </Button>
              ),
            },
          ]
        : []),
    ],
    [isOnCall],
  );
  if (data === undefined)
    return error === null ? (
      <LoadingState what="unrouted events" />
    ) : (
      <ProblemAlert error={error} title="The list cannot be read" onRetry={() => void refetch()} />
    );
  return (
    <>
      {error !== null && <ProblemAlert error={error} title="This list may be old" />}
      {data.events.length === 0 ? (
        <EmptyState title="No unrouted events">
          Every accepted event concerned at least one consumer. An event is unrouted when no consumer has its
          company id, or takes its type; it is then kept and listed here.
        </EmptyState>
      ) : (
        <DataTable
          caption="Unrouted events"
          columns={columns}
          rows={data.events}
          rowId={({ notificationId }) => notificationId}
          rowLink={({ notificationId }) => eventPath(notificationId)}
        />
      )}
      <Pager pagination={data.pagination} shown={data.events.length} />
      <SendToConsumerDialog event={chosen} onClose={() => setChosen(null)} />
    </>
  );
}
