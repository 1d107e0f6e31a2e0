import { useMutation, useQuery } from '@tanstack/react-query';
import { answerOf } from '../api/answer-of';
import { api } from '../api/client';
import { useSignedIn } from './use-sign-in';

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
