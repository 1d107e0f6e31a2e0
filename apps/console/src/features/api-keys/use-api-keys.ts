import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, doneBy } from '../../api/answer-of';
import { api } from '../../api/client';
import type { ListQuery, Schema } from '../../api/schema';

export type ApiKey = Schema<'ApiKeyDto'>;

const KEY = ['api-keys'];

/** API keys, newest first; the keys themselves are never shown again. */
export function useApiKeys(query: ListQuery<'/v1/api-keys'>) {
  return useQuery({
    queryKey: [...KEY, query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/api-keys', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Creates a key. Its answer is the only place where the key is ever shown. */
export function useCreateApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'CreateApiKeyDto'>) => answerOf(api.POST('/v1/api-keys', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
    // Kept in no memory of this page for longer than it is shown.
    gcTime: 0,
  });
}

export function useRevokeApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => doneBy(api.DELETE('/v1/api-keys/{id}', { params: { path: { id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
