import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { ListQuery } from '../../api/schema';

/** Events, the newest first. */
export function useEvents(query: ListQuery<'/v1/events'>) {
  return useQuery({
    queryKey: ['events', query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/events', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** One event with its envelope and its deliveries. */
export function useEvent(notificationId: string) {
  return useQuery({
    queryKey: ['events', notificationId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/events/{notificationId}', { params: { path: { notificationId } }, signal })),
  });
}
