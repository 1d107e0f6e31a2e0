import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../api/answer-of';
import { api } from '../api/client';
import { rememberSession } from './last-session';
import { ME_KEY, type Me } from './use-me';

/** Exchanges an API key for a session; the key itself is kept nowhere. */
export function useSignIn() {
  return useMutation({
    mutationFn: (apiKey: string) => answerOf(api.POST('/v1/session', { body: { apiKey } })),
    onSuccess: useSignedIn(),
  });
}

/** Begins anew as whoever has just signed in: what somebody else was shown is forgotten. */
export function useSignedIn(): (me: Me) => void {
  const client = useQueryClient();
  return (me) => {
    rememberSession(me);
    client.clear();
    client.setQueryData(ME_KEY, me);
  };
}
