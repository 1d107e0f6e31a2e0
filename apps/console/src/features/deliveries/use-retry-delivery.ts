import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { DELIVERIES_KEY } from './use-deliveries';

interface Retry {
  id: string;
  reason: string;
  /** Sends again what was delivered. */
  force: boolean;
}

/** Tries a delivery now. */
export function useRetryDelivery() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason, force }: Retry) =>
      answerOf(
        api.POST('/v1/deliveries/{id}/retry', {
          params: { path: { id } },
          body: { ...(reason === '' ? {} : { reason }), ...(force ? { force } : {}) },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: DELIVERIES_KEY }),
  });
}
