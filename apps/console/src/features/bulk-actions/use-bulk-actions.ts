import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';

/** What the queries of all that shows bulk actions begin with. */
export const BULK_ACTIONS_KEY = ['bulk-actions'] as const;

interface BulkActionsQuery {
  offset: number;
  limit: number;
}

/** Bulk actions, the newest first. */
export function useBulkActions(query: BulkActionsQuery) {
  return useQuery({
    queryKey: [...BULK_ACTIONS_KEY, 'list', query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/bulk-actions', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}
