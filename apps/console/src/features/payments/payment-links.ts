import type { Schema } from '../../api/schema';
import { EVENT_TYPES, paymentPath } from '../../formats/event-types';

type Event = Pick<Schema<'EventDto'>, 'eventType' | 'paymentId' | 'notificationId'>;

/** ACH and wire ids may be equal and mean different payments: the kind is part of the name. */
export const nameOfPayment = ({ eventType, paymentId }: Omit<Event, 'notificationId'>): string =>
  `${EVENT_TYPES[eventType].label} ${paymentId ?? 'event without a payment id'}`;

export const eventPath = (notificationId: string): string => `/events/${notificationId}`;

/** Where an event is shown best: within its payment, or alone when it carries no payment id. */
export const pathOfEvent = ({ eventType, paymentId, notificationId }: Event): string =>
  paymentId === null ? eventPath(notificationId) : paymentPath(eventType, paymentId);
