import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api';

export type OwnConsumer = Schema<'PortalProfileDto'>;

/** Every query of the portal begins with it. */
export const OWN = 'portal';

/** The person's own consumer, without what is internal to the bank. */
export const useOwnConsumer = () =>
  useQuery({
    queryKey: [OWN, 'profile'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/portal', { signal })),
  });
