import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';

export const QUEUE_KEY = ['queue'] as const;

/** How the dispatcher is, at a glance. */
export function useQueue() {
  return useQuery({
    queryKey: QUEUE_KEY,
    queryFn: ({ signal }) => answerOf(api.GET('/v1/queue', { signal })),
  });
}
