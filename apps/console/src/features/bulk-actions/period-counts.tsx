import { List } from '@mantine/core';
import { countInWords } from '../../formats';
import type { DeliveryFilter } from '../delivery-filter/delivery-fields';
import { useBulkPreview } from './bulk-queries';

interface PeriodCountsProps {
  period: Pick<DeliveryFilter, 'consumerId' | 'from' | 'to'>;
  /** Whether acknowledged deliveries are replayed, too. */
  hasAcknowledged: boolean;
}

/** How many deliveries of a period a replay includes, and how many it does not. */
export function PeriodCounts({ period, hasAcknowledged }: PeriodCountsProps) {
  const useCount = (filter: DeliveryFilter) => useBulkPreview('replay', { ...period, ...filter }, true);
  const rows = [
    {
      label: 'Not acknowledged (waiting or dead)',
      counts: [useCount({ delivered: false })],
      isIncluded: true,
    },
    { label: 'Acknowledged', counts: [useCount({ delivered: true })], isIncluded: hasAcknowledged },
    {
      label: 'Cancelled or settled',
      counts: [useCount({ state: 'cancelled' }), useCount({ settled: true })],
      isIncluded: false,
    },
  ];
  return (
    <List size="sm">
      {rows.map(({ label, counts, isIncluded }) => (
        <List.Item key={label}>
          {label}: {sumInWords(counts)}, <strong>{isIncluded ? 'included' : 'not included'}</strong>
        </List.Item>
      ))}
    </List>
  );
}

function sumInWords(counts: readonly { data: number | null | undefined; isFetching: boolean }[]): string {
  if (counts.some(({ isFetching }) => isFetching)) return '…';
  let sum = 0;
  for (const { data } of counts) {
    if (typeof data !== 'number') return 'not counted';
    sum += data;
  }
  return countInWords(sum);
}
