import type { Schema } from '../api';

type EventType = Schema<'DeliveryDto'>['eventType'];

/** Both kinds of payment: the label, and the part of a URL. */
export const EVENT_TYPES: Readonly<Record<EventType, { label: string; kind: 'ach' | 'wire' }>> = {
  'ach.status': { label: 'ACH', kind: 'ach' },
  'wire.status': { label: 'Wire', kind: 'wire' },
};

/** The screen of one payment with all its statuses. */
export const paymentPath = (eventType: EventType, paymentId: string): string =>
  `/payments/${EVENT_TYPES[eventType].kind}/${encodeURIComponent(paymentId)}`;
