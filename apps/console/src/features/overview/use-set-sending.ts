import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { QUEUE_KEY } from './use-queue';

/** Stops sending to everybody, or sends again. */
export function useSetSending() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ to, reason }: { to: 'pause' | 'resume'; reason: string }) =>
      answerOf(
        to === 'pause'
          ? api.POST('/v1/queue/pause', { body: { reason } })
          : api.POST('/v1/queue/resume', { body: { reason } }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: QUEUE_KEY }),
  });
}
