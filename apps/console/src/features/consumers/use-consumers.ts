import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api';

export type Consumer = Schema<'ConsumerDto'>;

/** The most that the api hands out at once. */
const AT_ONCE = 1_000;
/** A bank has some hundred; this is where the console stops, and says so. */
export const MOST_CONSUMERS = 5_000;

/** Names come and go by the week, and there may be thousands. */
const FOR_NAMES = { refetchInterval: 60_000, staleTime: 30_000 } as const;

/**
 * Every consumer: the list has no filters of its own, and a search by name has to see them all.
 * @param forNames only to choose from and to name: asked rarely
 */
export function useAllConsumers({ isWanted = true, forNames = false } = {}) {
  return useQuery({
    queryKey: ['consumers'],
    enabled: isWanted,
    ...(forNames ? FOR_NAMES : {}),
    queryFn: async ({ signal }): Promise<Consumer[]> => {
      const found: Consumer[] = [];
      for (;;) {
        const { consumers, pagination } = await answerOf(
          api.GET('/v1/consumers', { params: { query: { offset: found.length, limit: AT_ONCE } }, signal }),
        );
        found.push(...consumers);
        if (!pagination.moreRecords || found.length >= MOST_CONSUMERS) return found;
      }
    },
  });
}

/** One consumer. */
export function useConsumer(id: string) {
  return useQuery({
    queryKey: ['consumers', id],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/consumers/{id}', { params: { path: { id } }, signal })),
  });
}

/** Versions of a consumer's credentials, without their values, the newest first. */
export function useCredentials(id: string) {
  return useQuery({
    queryKey: ['consumers', id, 'credentials'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/consumers/{id}/credentials', { params: { path: { id } }, signal })),
    select: ({ credentials }) => credentials,
  });
}
