import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';

/** What the queries of all that shows bulk actions begin with. */
export const BULK_ACTIONS_KEY = ['bulk-actions'] as const;

interface BulkActionsQuery {
  offset: number;
  limit: number;
}

const WHILE_RUNNING_MS = 1_500;
const OTHERWISE_MS = 4_000;

/** Bulk actions, the newest first; asked more often while one of them runs. */
export function useBulkActions(query: BulkActionsQuery) {
  return useQuery({
    queryKey: [...BULK_ACTIONS_KEY, 'list', query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/bulk-actions', { params: { query }, signal })),
    refetchInterval: ({ state: { data } }) =>
      data?.bulkActions.some(({ state }) => state === 'running') ? WHILE_RUNNING_MS : OTHERWISE_MS,
    placeholderData: keepPreviousData,
  });
}
