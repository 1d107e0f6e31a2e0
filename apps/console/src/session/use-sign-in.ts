import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, doneBy } from '../api/answer-of';
import { api } from '../api/client';
import { ProblemError } from '../api/problem-error';
import { ME_KEY, type Me } from './use-me';

/** This browser remembers how its person signed in, to be able to say later why the session is over. */
const KIND = 'signed-in';

/** Why the sign-in page appears to a person who was signed in and did not sign out; null to everybody else. */
export function whySignedOut(): string | null {
  switch (window.localStorage.getItem(KIND)) {
    case 'key':
      return 'The key was revoked or has expired, or the session of 12 hours ended.';
    case 'person':
      return 'The session of one hour ended.';
    default:
      return null;
  }
}

/** Exchanges an API key for a session; the key itself is kept nowhere. */
export function useSignIn() {
  return useMutation({
    mutationFn: (apiKey: string) => answerOf(api.POST('/v1/session', { body: { apiKey } })),
    onSuccess: useSignedIn(),
  });
}

/** Begins anew as the person who has just signed in: what another one was shown is forgotten. */
function useSignedIn(): (me: Me) => void {
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

/** Where the sign-in was wanted for; kept by the tab, which leaves the console meanwhile. */
const WANTED = 'sign-in-to';

/** What the provider is called that one can sign in with, if there is one; and what this installation is called. */
export const useSignInOffer = () =>
  useQuery({
    queryKey: ['sign-in-offer'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/session/openid', { signal })),
    refetchInterval: false,
  }).data;

/** Leaves for the provider's page. `to` is where to go afterwards: not yet trusted. */
export function useBeginOpenId(to: string | null) {
  return useMutation({
    mutationFn: () => answerOf(api.POST('/v1/session/openid')),
    onSuccess: ({ location }) => {
      window.sessionStorage.setItem(WANTED, to ?? '');
      window.location.assign(location);
    },
  });
}

/** Exchanges what the provider sent the browser back with for a session. */
export function useFinishOpenId() {
  return useMutation({
    mutationFn: (answer: string) => answerOf(api.POST('/v1/session/openid/answer', { body: { answer } })),
    onSuccess: useSignedIn(),
  });
}

/** Where the tab wanted to go when it left, if it did: not yet trusted. */
export const wantedPath = (): string | null => window.sessionStorage.getItem(WANTED);
