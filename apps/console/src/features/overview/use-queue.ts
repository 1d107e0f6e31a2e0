import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';

/** How the dispatcher is, at a glance. */
export const QUEUE = queryOptions({
  queryKey: ['queue'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/queue', { signal })),
});

/** Pauses or resumes sending to all consumers. */
export function useSetSending() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ to, reason }: { to: 'pause' | 'resume'; reason: string }) =>
      answerOf(
        to === 'pause'
          ? api.POST('/v1/queue/pause', { body: { reason } })
          : api.POST('/v1/queue/resume', { body: { reason } }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: QUEUE.queryKey }),
  });
}
