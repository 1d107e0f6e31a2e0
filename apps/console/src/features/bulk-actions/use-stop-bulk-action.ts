import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { BULK_ACTIONS_KEY } from './use-bulk-actions';

/** Stops a bulk action where it stands. */
export function useStopBulkAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      answerOf(api.POST('/v1/bulk-actions/{id}/stop', { params: { path: { id } }, body: { reason } })),
    onSettled: () => client.invalidateQueries({ queryKey: BULK_ACTIONS_KEY }),
  });
}
