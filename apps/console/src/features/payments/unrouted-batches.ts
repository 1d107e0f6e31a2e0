import type { Schema } from '../../api';
import { countInWords } from '../../formats/count-in-words';

type Sent = Schema<'UnroutedSentDto'>;

/** Most events of one request. */
const MOST = 100;

/** The ids in requests, the oldest first: a payment's statuses are sent in their order. */
export function inBatches(notificationIds: readonly string[]): string[][] {
  const sorted = notificationIds.toSorted();
  return Array.from({ length: Math.ceil(sorted.length / MOST) }, (_, index) =>
    sorted.slice(index * MOST, (index + 1) * MOST),
  );
}

/** The sum of several answers; the consumer with the most events first. */
export function addUp(answers: readonly Sent[]): Sent {
  const events = new Map<string, number>();
  for (const { consumerId, events: more } of answers.flatMap(({ consumers }) => consumers))
    events.set(consumerId, (events.get(consumerId) ?? 0) + more);
  return {
    sent: answers.reduce((sum, { sent }) => sum + sent, 0),
    notSent: answers.reduce((sum, { notSent }) => sum + notSent, 0),
    consumers: [...events]
      .map(([consumerId, number]) => ({ consumerId, events: number }))
      .toSorted((one, other) => other.events - one.events),
  };
}

/** `1 event`, `1,000 events`. */
export const eventsInWords = (count: number): string =>
  `${countInWords(count)} ${count === 1 ? 'event' : 'events'}`;
