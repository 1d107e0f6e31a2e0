import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { answerOf, api } from '../../api';
import { EmptyState } from '../../feedback';
import { useMay } from '../../signed-in/use-me';
import { type Column, ListView, useListPage } from '../../tables';
import { EVENT_COLUMNS, eventPath, type PaymentEvent } from './recipients';
import { SendToConsumerDialog } from './send-to-consumer-dialog';

/** The events that matched no consumer, with a button that sends one. */
export function UnroutedEvents() {
  const isOnCall = useMay('oncall');
  const [chosen, setChosen] = useState<PaymentEvent | null>(null);
  const list = useListPage(['events', 'unrouted'], (page, signal) =>
    answerOf(api.GET('/v1/events', { params: { query: { ...page, unrouted: true } }, signal })),
  );
  const columns = useMemo((): readonly Column<PaymentEvent>[] => {
    if (!isOnCall) return EVENT_COLUMNS;
    const send = (event: PaymentEvent) => (
      <Button size="compact-sm" variant="default" onClick={() => setChosen(event)}>
        Send to a consumer
      </Button>
    );
    return [...EVENT_COLUMNS, { header: 'Actions', cell: send }];
  }, [isOnCall]);
  return (
    <>
      <ListView
        list={list}
        caption="Unrouted events"
        columns={columns}
        rows={list.data?.events}
        rowId={({ notificationId }) => notificationId}
        rowLink={({ notificationId }) => eventPath(notificationId)}
        empty={
          <EmptyState title="No unrouted events">
            Every accepted event matched at least one consumer. An event is unrouted when no consumer has its
            company id, or takes its type; it is then stored and listed here.
          </EmptyState>
        }
      />
      <SendToConsumerDialog event={chosen} onClose={() => setChosen(null)} />
    </>
  );
}
