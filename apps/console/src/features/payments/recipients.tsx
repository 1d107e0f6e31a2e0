import { Anchor, Group, Text } from '@mantine/core';
import { IconUnlink } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Schema } from '../../api/schema';
import { EVENT_TYPES, paymentPath } from '../../formats/event-types';
import { StateBadge } from '../../formats/state-badge';
import { Time } from '../../formats/time';
import { ToneBadge } from '../../formats/tone-badge';
import { useMay } from '../../session/use-may';
import type { Column } from '../../tables/data-table';
import type { Delivery } from '../deliveries/delivery-acts';
import { DeliveryStory } from '../deliveries/delivery-standing';

export type PaymentEvent = Schema<'EventDto'>;
export type Recipients = Schema<'RecipientsDto'>;

/** ACH and wire ids may be equal and mean different payments: the kind is part of the name. */
export const nameOfPayment = ({ eventType, paymentId }: Pick<PaymentEvent, 'eventType' | 'paymentId'>) =>
  `${EVENT_TYPES[eventType].label} ${paymentId ?? 'event without a payment id'}`;

export const eventPath = (notificationId: string): string => `/events/${notificationId}`;

/** Where an event is shown best: within its payment, or alone when it carries no payment id. */
export const pathOfEvent = ({ eventType, paymentId, notificationId }: PaymentEvent): string =>
  paymentId === null ? eventPath(notificationId) : paymentPath(eventType, paymentId);

/** What every table of events shows first. */
export const EVENT_COLUMNS: readonly Column<PaymentEvent>[] = [
  { id: 'payment', header: 'Payment', cell: nameOfPayment },
  { id: 'status', header: 'Status', cell: ({ status }) => status ?? 'none' },
  { id: 'accepted', header: 'Accepted', cell: ({ acceptedAt }) => <Time at={acceptedAt} /> },
  { id: 'who', header: 'Posted by', cell: ({ producer }) => producer },
];

/** An event that no consumer has a delivery of. */
export function UnroutedBadge() {
  return (
    <ToneBadge
      tone="waiting"
      icon={IconUnlink}
      hint="No consumer matched when it was accepted; it is stored and can be sent by hand"
    >
      Unrouted
    </ToneBadge>
  );
}

const STATES: Readonly<Record<Recipients['named'][number]['state'], string>> = {
  delivered: 'Delivered to',
  waiting: 'Waiting for',
  dead: 'Dead at',
  settled: 'Settled at',
  cancelled: 'Cancelled for',
};

/** The state for each consumer, the worst first: `Dead at Nightingale`, `Delivered to Acme 04:51`; of several, how many. */
export function RecipientsInWords({ recipients }: { recipients: Recipients }) {
  const { total, delivered, named } = recipients;
  if (total === 0) return <UnroutedBadge />;
  const areAllDelivered = delivered === total;
  const others = total - named.length;
  return (
    <>
      {total > 1 && (
        <div>
          {areAllDelivered
            ? `Delivered to all ${String(total)}`
            : `${String(delivered)} of ${String(total)} delivered`}
        </div>
      )}
      {named.map(({ consumerId, consumerName, state, at }) => (
        <div key={consumerId}>
          {STATES[state]} {consumerName} {at !== null && <Time at={at} />}
        </div>
      ))}
      {others > 0 && <div>and {others} more</div>}
    </>
  );
}

/** One consumer's copy of one event: its state, what it is waiting for, and the way to it. */
export function DeliveryInWords({ delivery }: { delivery: Delivery }) {
  const isViewer = useMay('viewer');
  const { state, settlement, deliveryId, consumerName } = delivery;
  const isMissing = state === 'dead' || state === 'cancelled';
  return (
    <Group gap="sm" align="flex-start" wrap="wrap">
      <StateBadge state={state} />
      <Text component="div" style={{ flex: '1 1 16rem' }}>
        {isViewer ? (
          <Anchor component={Link} to={`/deliveries/${deliveryId}`} fw={600}>
            {consumerName}
          </Anchor>
        ) : (
          <strong>{consumerName}</strong>
        )}
        {isMissing && <strong> · {settlement === null ? 'Not received' : 'Settled'}</strong>}
        <div>
          <DeliveryStory delivery={delivery} isBrief />
        </div>
      </Text>
    </Group>
  );
}
