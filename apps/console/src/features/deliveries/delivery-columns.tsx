import { Text } from '@mantine/core';
import { HoldInWords } from '../../formats/hold-in-words';
import { OutcomeInWords } from '../../formats/outcome-in-words';
import { StateBadge } from '../../formats/state-badge';
import { Time } from '../../formats/time';
import type { Column } from '../../tables/data-table';
import type { Delivery } from './delivery-acts';

export const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  { id: 'payment', header: 'Payment', cell: ({ paymentId }) => paymentId ?? 'without an id' },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => <span style={{ overflowWrap: 'anywhere' }}>{status ?? 'none'}</span>,
  },
  { id: 'state', header: 'State', cell: (delivery) => <DeliveryState {...delivery} /> },
  { id: 'consumer', header: 'Consumer', cell: ({ consumerName }) => consumerName },
  { id: 'attempts', header: 'Attempts', cell: ({ attemptCount }) => attemptCount },
  {
    id: 'outcome',
    header: 'Last outcome',
    cell: ({ lastOutcome, lastHttpStatus }) => (
      <OutcomeInWords outcome={lastOutcome} httpStatus={lastHttpStatus} />
    ),
  },
  { id: 'next', header: 'Next attempt', cell: (delivery) => <NextAttempt {...delivery} /> },
  { id: 'created', header: 'Accepted', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** A dead one that is settled needs nobody. */
export function DeliveryState({ state, settlement }: Pick<Delivery, 'state' | 'settlement'>) {
  return (
    <>
      <StateBadge state={state} />
      {settlement !== null && <Text size="sm">Settled</Text>}
    </>
  );
}

function NextAttempt({ state, holdReason, nextAttemptAt }: Delivery) {
  switch (state) {
    case 'held':
      return holdReason === null ? null : <HoldInWords reason={holdReason} brief />;
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
