import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { DELIVERIES_KEY } from './use-deliveries';

/** Finishes a delivery without sending it. */
export function useCancelDelivery() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      answerOf(
        api.POST('/v1/deliveries/{id}/cancel', {
          params: { path: { id } },
          body: reason === '' ? {} : { reason },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: DELIVERIES_KEY }),
  });
}
