import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, doneBy } from '../api/answer-of';
import { api } from '../api/client';
import { ProblemError } from '../api/problem-error';
import { forgetSession, rememberSession } from './last-session';
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

/** Ends the session, and forgets everything that was shown in it. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await doneBy(api.DELETE('/v1/session'));
      } catch (error) {
        // It had ended already.
        if (!(error instanceof ProblemError && error.status === 401)) throw error;
      }
    },
    onSuccess: () => {
      forgetSession();
      client.setQueryData(ME_KEY, null);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME_KEY[0] });
    },
  });
}
