import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answerOf, api, type Schema } from '../api';

export type Consumer = Schema<'ConsumerDto'>;

/** The largest page of the api. */
const AT_ONCE = 1_000;
/** The console reads no more; a bank has some hundred. */
export const MOST_CONSUMERS = 5_000;

/** Names seldom change, and there may be thousands. */
const FOR_NAMES = { refetchInterval: 60_000, staleTime: 30_000 } as const;

/**
 * Every consumer: the list of the api has no filters, and a search by name needs them all.
 * @param forNames only names are needed: read rarely
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

/** Every consumer by name, for a list to choose from. */
export function useConsumerChoices(isWanted = true) {
  const { data: consumers } = useAllConsumers({ isWanted, forNames: true });
  return useMemo(
    () =>
      (consumers ?? [])
        .map(({ id, name }) => ({ value: id, label: name }))
        .toSorted((one, other) => one.label.localeCompare(other.label)),
    [consumers],
  );
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
