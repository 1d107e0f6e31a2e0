import { useMutation, useQueryClient } from '@tanstack/react-query';
import { doneBy } from '../../api/answer-of';
import { api } from '../../api/client';

export function useRevokeApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => doneBy(api.DELETE('/v1/api-keys/{id}', { params: { path: { id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['api-keys'] }),
  });
}
