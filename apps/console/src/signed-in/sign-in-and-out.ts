import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { api, doneBy, ProblemError } from '../api';
import { OFFER_KEY } from '../queries/use-sign-in-offer';
import { ME_KEY, type Me } from './use-me';

/** How the person signed in, stored to explain later why the session ended. */
const KIND = 'signed-in';

const ENDS: ReadonlyMap<string | null, string> = new Map([
  ['key', 'The key was revoked or has expired, or the session of 12 hours ended.'],
  ['person', 'The session of one hour ended.'],
]);

/** Why the session of a person ended who did not sign out; undefined for everybody else. */
export const whySignedOut = (): string | undefined => ENDS.get(window.localStorage.getItem(KIND));

const isPersonal = ({ queryKey }: { queryKey: QueryKey }): boolean => queryKey[0] !== OFFER_KEY[0];

/** Starts a session: data of a previous person is dropped. */
export function useSignedIn(): (me: Me) => void {
  const client = useQueryClient();
  return (me) => {
    window.localStorage.setItem(KIND, me.person === null ? 'key' : 'person');
    client.getMutationCache().clear();
    client.removeQueries({ predicate: isPersonal });
    client.setQueryData(ME_KEY, me);
  };
}

/** Ends the session and drops its data. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await doneBy(api.DELETE('/v1/session'));
      } catch (error) {
        // The session had already ended.
        if (!(error instanceof ProblemError && error.status === 401)) throw error;
      }
    },
    onSuccess: () => {
      window.localStorage.removeItem(KIND);
      client.setQueryData(ME_KEY, null);
      client.removeQueries({ predicate: (query) => isPersonal(query) && query.queryKey[0] !== ME_KEY[0] });
    },
  });
}
