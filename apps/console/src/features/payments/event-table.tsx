import type { Schema } from '../../api/schema';
import { Time } from '../../formats/time';
import { DataTable, type Column } from '../../tables/data-table';
import { nameOfPayment, pathOfEvent } from './payment-links';
import { UnroutedBadge } from './unrouted-badge';

type Event = Schema<'EventDto'>;

const COLUMNS: readonly Column<Event>[] = [
  {
    id: 'payment',
    header: 'Payment',
    cell: nameOfPayment,
  },
  { id: 'status', header: 'Status', cell: ({ status }) => status ?? 'none' },
  { id: 'happened', header: 'Happened', cell: ({ eventDateTime }) => <Time at={eventDateTime} /> },
  { id: 'accepted', header: 'Accepted', cell: ({ acceptedAt }) => <Time at={acceptedAt} /> },
  { id: 'who', header: 'Posted by', cell: ({ producer }) => producer },
  {
    id: 'routed',
    header: 'Consumers',
    cell: ({ unrouted }) => (unrouted ? <UnroutedBadge /> : 'told'),
  },
];

/** Events, each leading to its payment. */
export function EventTable({ caption, events }: { caption: string; events: readonly Event[] }) {
  return (
    <DataTable
      caption={caption}
      columns={COLUMNS}
      rows={[...events]}
      rowId={({ notificationId }) => notificationId}
      rowLink={pathOfEvent}
    />
  );
}
