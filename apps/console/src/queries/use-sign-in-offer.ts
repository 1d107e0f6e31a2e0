import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api';

/** Needs no session, and stays when one begins or ends. */
export const OFFER_KEY = ['sign-in-offer'] as const;

/** The single sign-on provider, if there is one, and the names, colours and logo of this installation and its bank. */
export const useSignInOffer = () =>
  useQuery({
    queryKey: OFFER_KEY,
    queryFn: ({ signal }) => answerOf(api.GET('/v1/session/openid', { signal })),
    refetchInterval: false,
    staleTime: Infinity,
  }).data;
