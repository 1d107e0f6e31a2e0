import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../api/answer-of';
import { api } from '../api/client';
import { ME_KEY } from './use-me';

/** Exchanges an API key for a session; the key itself is kept nowhere. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (apiKey: string) => answerOf(api.POST('/v1/session', { body: { apiKey } })),
    onSuccess: (me) => {
      client.clear();
      client.setQueryData(ME_KEY, me);
    },
  });
}
