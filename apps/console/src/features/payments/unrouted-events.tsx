import { Button } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api';
import { EmptyState } from '../../feedback';
import { ToneBadge } from '../../formats';
import { QUEUE } from '../../queries/queue-query';
import { useMay } from '../../signed-in/use-me';
import { type Column, ListView, useListPage } from '../../tables';
import { NewUnroutedEvents } from './new-unrouted-events';
import { EVENT_COLUMNS, eventPath, type PaymentEvent } from './recipients';
import { SendToMatching } from './send-to-matching';
import { SendToConsumerDialog } from './send-to-consumer-dialog';

/** The events that matched no consumer, with the commands that send them. */
export function UnroutedEvents() {
  const isOnCall = useMay('oncall');
  const { data: queue } = useQuery({ ...QUEUE, enabled: useMay('viewer') });
  const seenUntil = queue?.unrouted.seenUntil ?? null;
  const [chosen, setChosen] = useState<PaymentEvent | null>(null);
  const list = useListPage(['events', 'unrouted'], (page, signal) =>
    answerOf(api.GET('/v1/events', { params: { query: { ...page, unrouted: true } }, signal })),
  );
  const events = list.data?.events ?? [];
  const columns: readonly Column<PaymentEvent>[] = [
    ...EVENT_COLUMNS,
    {
      header: 'Seen',
      cell: ({ acceptedAt }) => (seenUntil === null || acceptedAt >= seenUntil ? <NewBadge /> : 'Yes'),
    },
  ];
  return (
    <>
      {queue !== undefined && events.length > 0 && <NewUnroutedEvents {...queue.unrouted} />}
      {isOnCall && events.length > 0 && <SendToMatching />}
      <ListView
        list={list}
        caption="Unrouted events"
        columns={queue === undefined ? EVENT_COLUMNS : columns}
        rows={list.data?.events}
        rowId={({ notificationId }) => notificationId}
        rowLink={({ notificationId }) => eventPath(notificationId)}
        rowActions={
          isOnCall
            ? (event) => (
                <Button size="compact-sm" variant="default" onClick={() => setChosen(event)}>
                  Send to a consumer
                </Button>
              )
            : undefined
        }
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

const NewBadge = () => <ToneBadge label="New" tone="waiting" icon={IconSparkles} />;
