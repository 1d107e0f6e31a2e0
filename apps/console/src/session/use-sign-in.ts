import { useMutation } from '@tanstack/react-query';
import { answerOf } from '../api/answer-of';
import { api } from '../api/client';
import { useSignedIn } from './use-signed-in';

/** Exchanges an API key for a session; the key itself is kept nowhere. */
export function useSignIn() {
  return useMutation({
    mutationFn: (apiKey: string) => answerOf(api.POST('/v1/session', { body: { apiKey } })),
    onSuccess: useSignedIn(),
  });
}
