import type { Schema } from '../../api/schema';
import type { Kind } from './use-transactions';

type EventType = Schema<'EventDto'>['eventType'];

/** ACH and wire ids may be equal and mean different payments: the kind is part of the name. */
export const KIND_OF: Readonly<Record<EventType, Kind>> = { 'ach.status': 'ach', 'wire.status': 'wire' };
export const KIND_LABELS: Readonly<Record<Kind, string>> = { ach: 'ACH', wire: 'Wire' };

export const paymentPath = (kind: Kind, paymentId: string): string =>
  `/payments/${kind}/${encodeURIComponent(paymentId)}`;

export const eventPath = (notificationId: string): string => `/events/${notificationId}`;

/** Where an event is shown best: within its payment, or alone when it carries no payment id. */
export const pathOfEvent = ({
  eventType,
  paymentId,
  notificationId,
}: Pick<Schema<'EventDto'>, 'eventType' | 'paymentId' | 'notificationId'>): string =>
  paymentId === null ? eventPath(notificationId) : paymentPath(KIND_OF[eventType], paymentId);
