import { Link } from 'react-router';
import { Anchor, Text } from '@mantine/core';
import type { Schema } from '../../api/schema';
import type { DeliveryState } from '../../formats/state-badge';
import { useMay } from '../../session/use-may';
import { DataTable, type Column } from '../../tables/data-table';

interface Standing {
  readonly consumerId: string;
  readonly name: string;
  /** Numbers of the payment's statuses. */
  readonly delivered: readonly number[];
  readonly open: readonly number[];
  readonly gaps: readonly number[];
}

const COLUMNS: readonly Column<Standing>[] = [
  { id: 'name', header: 'Consumer', cell: (row) => <ConsumerName {...row} /> },
  { id: 'delivered', header: 'Received', cell: ({ delivered }) => numbers(delivered) },
  { id: 'open', header: 'Waiting for', cell: ({ open }) => numbers(open) },
  { id: 'gaps', header: 'Missing', cell: ({ gaps }) => numbers(gaps) },
];

/** Each consumer of a payment: which of its statuses it has received, is waiting for, and will not receive automatically. */
export function ConsumersOfPayment({ statuses }: { statuses: readonly Schema<'PaymentStatusDto'>[] }) {
  const standings = standingsOf(statuses);
  if (standings.length === 0) return <Text>No consumer has a delivery of this payment.</Text>;
  return (
    <DataTable
      caption="Consumers of this payment"
      columns={COLUMNS}
      rows={standings}
      rowId={({ consumerId }) => consumerId}
    />
  );
}

function standingsOf(statuses: readonly Schema<'PaymentStatusDto'>[]): Standing[] {
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

function ConsumerName({ consumerId, name }: Standing) {
  const isViewer = useMay('viewer');
  if (!isViewer) return name;
  return (
    <Anchor component={Link} to={`/consumers/${consumerId}`}>
      {name}
    </Anchor>
  );
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
