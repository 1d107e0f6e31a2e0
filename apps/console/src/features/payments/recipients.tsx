import { Stack, Text } from '@mantine/core';
import { IconUnlink } from '@tabler/icons-react';
import type { Schema } from '../../api';
import { EVENT_TYPES, Time, ToneBadge } from '../../formats';
import type { Column } from '../../tables';
import type { Delivery } from '../deliveries/delivery-commands';
import { DeliveryInWords } from '../deliveries/delivery-in-words';

export type PaymentEvent = Schema<'EventDto'>;
type Recipients = Schema<'RecipientsDto'>;

/** ACH and wire ids may be equal and mean different payments: the kind is part of the name. */
const nameOfPayment = ({ eventType, paymentId }: Pick<PaymentEvent, 'eventType' | 'paymentId'>) =>
  `${EVENT_TYPES[eventType].label} ${paymentId ?? 'event without a payment id'}`;

export const eventPath = (notificationId: string): string => `/events/${notificationId}`;

/** The columns of a table of events. */
export const EVENT_COLUMNS: readonly Column<PaymentEvent>[] = [
  { header: 'Payment', cell: nameOfPayment },
  { header: 'Status', cell: ({ status }) => status ?? 'none' },
  { header: 'Accepted', cell: ({ acceptedAt }) => <Time at={acceptedAt} /> },
  { header: 'Posted by', cell: ({ producer }) => producer },
];

/** An event without deliveries. */
const UnroutedBadge = () => (
  <ToneBadge
    label="Unrouted"
    tone="waiting"
    icon={IconUnlink}
    hint="No consumer matched when it was accepted; it is stored and can be sent manually"
  />
);

const STATES: Readonly<Record<Recipients['named'][number]['state'], string>> = {
  delivered: 'Delivered to',
  waiting: 'Not yet delivered to',
  dead: 'Dead, not delivered to',
  settled: 'Settled, not delivered to',
  cancelled: 'Cancelled for',
};

/** The state for each consumer, the worst first: `Dead, not delivered to Nightingale`, `Delivered to Acme 04:51`; of several, how many. */
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

/** Each consumer's copy of one event. */
export function DeliveriesInWords({ deliveries }: { deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0)
    return (
      <Text component="div">
        <UnroutedBadge /> No consumer has its company id and takes its type.
      </Text>
    );
  return (
    <Stack gap="sm">
      {deliveries.map((delivery) => (
        <DeliveryInWords key={delivery.deliveryId} delivery={delivery} />
      ))}
    </Stack>
  );
}

/** When an event happened and was accepted, its producer, and its other numbers. */
export function Origin({ event }: { event: Schema<'PaymentStatusDto'> | PaymentEvent }) {
  const { eventDateTime, acceptedAt, producer, traceNumber, imad } = event;
  return (
    <>
      Happened at <Time at={eventDateTime} />. Accepted at <Time at={acceptedAt} /> from {producer}.
      {traceNumber !== null && ` Trace number ${traceNumber}.`}
      {imad !== null && ` IMAD ${imad}.`}
    </>
  );
}
