import { useMutation, useQueryClient } from '@tanstack/react-query';
import { doneBy } from '../api/answer-of';
import { api } from '../api/client';
import { ProblemError } from '../api/problem-error';
import { forgetSession } from './last-session';
import { ME_KEY } from './use-me';

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
