import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api';

/** Every query of the portal begins with it. */
export const OWN = 'portal';

/** The person's own consumer, without what is internal to the bank. */
export const useOwnConsumer = () =>
  useQuery({
    queryKey: [OWN, 'profile'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/portal', { signal })),
  });

/** Versions of the own credentials, the newest first. */
export const useOwnCredentials = () =>
  useQuery({
    queryKey: [OWN, 'credentials'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/portal/credentials', { signal })),
    select: ({ credentials }) => credentials,
  });
