import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, doneBy, ProblemError } from '../api';
import { ME_KEY, type Me } from './use-me';

/** This browser remembers how its person signed in, to be able to say later why the session is over. */
const KIND = 'signed-in';

const ENDS: ReadonlyMap<string | null, string> = new Map([
  ['key', 'The key was revoked or has expired, or the session of 12 hours ended.'],
  ['person', 'The session of one hour ended.'],
]);

/** Why the sign-in page appears to a person who was signed in and did not sign out; undefined to everybody else. */
export const whySignedOut = (): string | undefined => ENDS.get(window.localStorage.getItem(KIND));

/** Begins anew as the person who has just signed in: what another one was shown is forgotten. */
export function useSignedIn(): (me: Me) => void {
  const client = useQueryClient();
  return (me) => {
    window.localStorage.setItem(KIND, me.person === null ? 'key' : 'person');
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
      window.localStorage.removeItem(KIND);
      client.setQueryData(ME_KEY, null);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME_KEY[0] });
    },
  });
}
