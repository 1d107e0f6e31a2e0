import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { answerOf, api, type Schema } from '../api';

export type Consumer = Schema<'ConsumerDto'>;

/** The largest page of the api. */
const AT_ONCE = 1_000;
/** The console reads no more; a bank has some hundred. */
export const MOST_CONSUMERS = 5_000;
/** How many consumers a choice offers at once. */
const MOST_OFFERED = 50;
/** A person's pause in typing, after which the api is asked. */
const TYPED_MS = 200;

/** Names seldom change. */
const FOR_NAMES = { refetchInterval: 60_000, staleTime: 30_000 } as const;

/** Every consumer: their list is sorted by health, which the api's is not. */
export function useAllConsumers() {
  return useQuery({
    queryKey: ['consumers'],
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

/**
 * Consumers that have what was typed in their name, external id or contact, by name. The api searches, because a bank may
 * have thousands.
 */
export function useConsumerSearch(isWanted = true) {
  const [typed, onSearch] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPED_MS);
  const { data } = useQuery({
    queryKey: ['consumers', 'found', search],
    enabled: isWanted,
    placeholderData: keepPreviousData,
    ...FOR_NAMES,
    queryFn: ({ signal }) => {
      const query = { limit: MOST_OFFERED, ...(search === '' ? {} : { search }) };
      return answerOf(api.GET('/v1/consumers', { params: { query }, signal }));
    },
    select: byName,
  });
  return { found: data, onSearch };
}

const byName = ({ consumers }: Schema<'ConsumerListDto'>): Consumer[] =>
  consumers.toSorted((one, other) => one.name.localeCompare(other.name));

/** Undefined: none is chosen. */
type Chosen = readonly (string | undefined)[];

const idsOf = (chosen: Chosen): string[] => chosen.filter((id) => id !== undefined);

/** The names of these consumers, as far as they are known; a removed one has none. */
export function useConsumerNames(chosen: Chosen): ReadonlyMap<string, string> {
  return useQueries({
    queries: idsOf(chosen).map((id) => ({ ...oneConsumer(id), ...FOR_NAMES, retry: false })),
    combine: namesOf,
  });
}

const namesOf = (results: readonly { data: Consumer | undefined }[]): ReadonlyMap<string, string> =>
  new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data.name]])));

/** A filter or field that chooses consumers: those that are found, and the chosen ones. `isOpen`: one may be removed. */
export function useConsumerChoices(chosen: Chosen, isWanted = true) {
  const { found, onSearch } = useConsumerSearch(isWanted);
  const names = useConsumerNames(chosen);
  const ids = idsOf(chosen).join();
  return useMemo(() => {
    const all = new Map(found?.map(({ id, name }) => [id, name]));
    for (const id of ids === '' ? [] : ids.split(','))
      all.set(id, names.get(id) ?? all.get(id) ?? `Not listed: ${id}`);
    const choices = [...all].map(([value, label]) => ({ value, label }));
    return { choices, onSearch, isOpen: true } as const;
  }, [found, names, ids, onSearch]);
}

const oneConsumer = (id: string) => ({
  queryKey: ['consumers', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    answerOf(api.GET('/v1/consumers/{id}', { params: { path: { id } }, signal })),
});

/** One consumer. */
export const useConsumer = (id: string) => useQuery(oneConsumer(id));

/** Versions of a consumer's credentials, without their values, the newest first. */
export function useCredentials(id: string) {
  return useQuery({
    queryKey: ['consumers', id, 'credentials'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/consumers/{id}/credentials', { params: { path: { id } }, signal })),
    select: ({ credentials }) => credentials,
  });
}
