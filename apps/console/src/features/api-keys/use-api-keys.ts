import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { Schema } from '../../api/schema';

export type ApiKey = Schema<'ApiKeyDto'>;

export const API_KEYS = ['api-keys'];

/** Creates a key. Its answer is the only place where the key is ever shown. */
export function useCreateApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'CreateApiKeyDto'>) => answerOf(api.POST('/v1/api-keys', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: API_KEYS }),
    // Kept in no memory of this page for longer than it is shown.
    gcTime: 0,
  });
}
