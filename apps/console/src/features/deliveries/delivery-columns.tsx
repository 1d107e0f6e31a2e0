import { Text } from '@mantine/core';
import type { Schema } from '../../api';
import { HOLDS, outcomeInWords, Time } from '../../formats';
import type { Column } from '../../tables';
import { DeliveryState } from './delivery-in-words';

type Delivery = Schema<'DeliveryDto'>;

/** The columns of the list of deliveries. */
export const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  { header: 'Payment', cell: ({ paymentId }) => paymentId ?? 'without an id' },
  { header: 'Status', cell: ({ status }) => status ?? 'none' },
  { header: 'State', cell: (delivery) => <DeliveryState {...delivery} /> },
  { header: 'Consumer', cell: ({ consumerName }) => consumerName },
  { header: 'Attempts', cell: ({ attemptCount }) => attemptCount, isNumber: true },
  {
    header: 'Last outcome',
    cell: ({ lastOutcome, lastHttpStatus }) =>
      lastOutcome === 'http_status' ? `HTTP ${String(lastHttpStatus)}` : outcomeInWords(lastOutcome, null),
  },
  { header: 'Next attempt', cell: nextAttempt },
  { header: 'Accepted', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function nextAttempt({ state, holdReason, nextAttemptAt }: Delivery) {
  switch (state) {
    case 'held':
      return (
        holdReason !== null && (
          <Text span inherit truncate display="block" maw={160} title={HOLDS[holdReason].why}>
            {HOLDS[holdReason].label}
          </Text>
        )
      );
    case 'sending':
      return <span>Now</span>;
    case 'queued':
      return <Time at={nextAttemptAt} />;
    case 'delivered':
    case 'dead':
    case 'cancelled':
      return <span>None</span>;
  }
}
