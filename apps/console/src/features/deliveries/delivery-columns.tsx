import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schema } from '../../api';
import { HOLDS, Time } from '../../formats';
import type { Column } from '../../tables';

type Delivery = Schema<'DeliveryDto'>;

interface Cells {
  state: (delivery: Delivery) => ReactNode;
  lastOutcome: (delivery: Delivery) => ReactNode;
  /** Why a held delivery waits. */
  whyHeld: (delivery: Delivery) => string | null;
  /** The columns after the state. */
  more?: readonly Column<Delivery>[];
}

/** The columns of a list of deliveries. */
export const deliveryColumns = (of: Cells): readonly Column<Delivery>[] => [
  { header: 'Payment', cell: ({ paymentId }) => paymentId ?? 'without an id' },
  { header: 'Status', cell: ({ status }) => status ?? 'none' },
  { header: 'State', cell: of.state },
  ...(of.more ?? []),
  { header: 'Attempts', cell: ({ attemptCount }) => attemptCount, isNumber: true },
  { header: 'Last outcome', cell: of.lastOutcome },
  { header: 'Next attempt', cell: (delivery) => nextAttempt(delivery, of.whyHeld(delivery)) },
  { header: 'Accepted', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function nextAttempt({ state, holdReason, nextAttemptAt }: Delivery, why: string | null) {
  switch (state) {
    case 'held':
      return (
        holdReason !== null && (
          <Text span inherit truncate display="block" maw={160} title={why ?? ''}>
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
