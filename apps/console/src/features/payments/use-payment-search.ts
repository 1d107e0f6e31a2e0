import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { ProblemError } from '../../api/problem-error';
import type { ListQuery, Schema } from '../../api/schema';

/** What somebody may have in hand, in the order in which matches are shown. */
export const KEYS = ['notificationId', 'paymentId', 'traceNumber', 'imad'] as const;
export type Key = (typeof KEYS)[number];

export interface Match {
  readonly key: Key;
  readonly events: readonly Schema<'EventDto'>[];
  /** There are more events than are shown. */
  readonly hasMore: boolean;
}

const SHOWN_OF_EACH = 20;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Looks for whatever a person has in hand as every key that it may be, side by side. */
export function usePaymentSearch(wanted: string) {
  return useQuery({
    queryKey: ['payment-search', wanted],
    enabled: wanted !== '',
    queryFn: async ({ signal }): Promise<Match[]> => {
      const found = await Promise.all([
        byNotificationId(wanted, signal),
        matching('paymentId', { paymentId: wanted }, signal),
        matching('traceNumber', { traceNumber: wanted }, signal),
        matching('imad', { imad: wanted }, signal),
      ]);
      return found.filter(({ events }) => events.length > 0);
    },
  });
}

async function byNotificationId(wanted: string, signal: AbortSignal): Promise<Match> {
  const match = { key: 'notificationId', hasMore: false } as const;
  if (!UUID.test(wanted)) return { ...match, events: [] };
  try {
    const params = { path: { notificationId: wanted } };
    const event = await answerOf(api.GET('/v1/events/{notificationId}', { params, signal }));
    return { ...match, events: [event] };
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return { ...match, events: [] };
    throw error;
  }
}

async function matching(key: Key, by: ListQuery<'/v1/events'>, signal: AbortSignal): Promise<Match> {
  const params = { query: { ...by, limit: SHOWN_OF_EACH } };
  const { events, pagination } = await answerOf(api.GET('/v1/events', { params, signal }));
  return { key, events, hasMore: pagination.moreRecords };
}
