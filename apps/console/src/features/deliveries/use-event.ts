import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { DELIVERIES_KEY } from './use-deliveries';

/** One event: its envelope, and where it goes. */
export function useEvent(notificationId: string) {
  return useQuery({
    queryKey: [...DELIVERIES_KEY, 'event', notificationId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/events/{notificationId}', { params: { path: { notificationId } }, signal })),
  });
}
