import { IconCircleCheck, IconClock, IconSkull } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Anchor, Text } from '@mantine/core';
import { ToneBadge } from '../../formats/tone-badge';
import { useMay } from '../../session/use-may';
import { DataTable, type Column } from '../../tables/data-table';
import type { Status } from './payment-status';

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
  { id: 'standing', header: 'Stands', cell: (row) => <StandingBadge {...row} /> },
  { id: 'delivered', header: 'Has got', cell: ({ delivered }) => numbers(delivered) },
  { id: 'open', header: 'Waits for', cell: ({ open }) => numbers(open) },
  { id: 'gaps', header: 'Gaps', cell: ({ gaps }) => numbers(gaps) },
];

/** Each consumer of a payment: which of its statuses it has got, waits for, and will not get by itself. */
export function ConsumersOfPayment({ statuses }: { statuses: readonly Status[] }) {
  const standings = standingsOf(statuses);
  if (standings.length === 0) return <Text>No consumer has been told of this payment.</Text>;
  return (
    <DataTable
      caption="Consumers of this payment"
      columns={COLUMNS}
      rows={standings}
      rowId={({ consumerId }) => consumerId}
    />
  );
}

function standingsOf(statuses: readonly Status[]): Standing[] {
  const byConsumer = new Map<string, { name: string; delivered: number[]; open: number[]; gaps: number[] }>();
  for (const { number, deliveries } of statuses)
    for (const { consumerId, consumerName, state } of deliveries) {
      const standing = byConsumer.get(consumerId) ?? {
        name: consumerName,
        delivered: [],
        open: [],
        gaps: [],
      };
      byConsumer.set(consumerId, standing);
      if (state === 'delivered') standing.delivered.push(number);
      else if (state === 'dead' || state === 'cancelled') standing.gaps.push(number);
      else standing.open.push(number);
    }
  return [...byConsumer]
    .map(([consumerId, standing]) => ({ consumerId, ...standing }))
    .sort((a, b) => b.gaps.length - a.gaps.length || b.open.length - a.open.length);
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

function StandingBadge({ gaps, open }: Standing) {
  if (gaps.length > 0)
    return (
      <ToneBadge tone="bad" icon={IconSkull}>
        Has a gap
      </ToneBadge>
    );
  if (open.length > 0)
    return (
      <ToneBadge tone="waiting" icon={IconClock}>
        Waiting
      </ToneBadge>
    );
  return (
    <ToneBadge tone="good" icon={IconCircleCheck}>
      Up to date
    </ToneBadge>
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
