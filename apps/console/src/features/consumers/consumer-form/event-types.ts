import type { EventType } from '../../../formats/event-types';

export const EVENT_TYPE_LABELS: Readonly<Record<EventType, string>> = {
  'ach.status': 'Status of an ACH payment',
  'wire.status': 'Status of a wire payment',
};

export const isEventType = (text: string | null): text is EventType =>
  text !== null && text in EVENT_TYPE_LABELS;

export const EVENT_TYPES = Object.keys(EVENT_TYPE_LABELS).filter(isEventType);
