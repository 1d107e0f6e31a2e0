import { keepPreviousData, useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import { PAGE_SIZE, usePageOffset } from './pager';

/**
 * The page of a list that the URL names. The rows stay until the next page is there.
 * @param key everything that selects rows, except the page
 */
export function useListPage<Answer>(
  key: QueryKey,
  read: (page: { offset: number; limit: number }, signal: AbortSignal) => Promise<Answer>,
  options: Pick<UseQueryOptions<Answer>, 'refetchInterval'> = {},
) {
  const page = { offset: usePageOffset(), limit: PAGE_SIZE };
  return useQuery({
    queryKey: [...key, page],
    queryFn: ({ signal }) => read(page, signal),
    placeholderData: keepPreviousData,
    ...options,
  });
}
