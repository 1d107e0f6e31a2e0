import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { EmptyState } from '../../feedback/empty-state';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { useMay } from '../../session/use-may';
import { DataTable, type Column } from '../../tables/data-table';
import { PAGE_SIZE, Pager, usePageOffset } from '../../tables/pager';
import { EVENT_COLUMNS, eventPath, type PaymentEvent } from './recipients';
import { SendToConsumerDialog } from './send-to-consumer-dialog';
import { useEvents } from './use-events';

/** The events that matched no consumer, and the way to send them. */
export function UnroutedEvents() {
  const isOnCall = useMay('oncall');
  const [chosen, setChosen] = useState<PaymentEvent | null>(null);
  const { data, error, refetch } = useEvents({ unrouted: true, offset: usePageOffset(), limit: PAGE_SIZE });
  const columns = useMemo(
    (): readonly Column<PaymentEvent>[] => [
      ...EVENT_COLUMNS,
      ...(isOnCall
        ? [
            {
              id: 'send',
              header: 'Actions',
              cell: (event: PaymentEvent) => (
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
          Every accepted event matched at least one consumer. An event is unrouted when no consumer has its
          company id, or takes its type; it is then stored and listed here.
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
