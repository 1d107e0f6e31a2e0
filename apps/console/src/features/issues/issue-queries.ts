import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf, api, type ListQuery } from '../../api';

export const ISSUES_KEY = ['issues'] as const;

/** A page of issues: unresolved ones first, the worst of them first; then the newest. */
export function useIssues(query: ListQuery<'/v1/issues'>, isWanted = true) {
  return useQuery({
    queryKey: [...ISSUES_KEY, 'list', query],
    enabled: isWanted,
    queryFn: ({ signal }) => answerOf(api.GET('/v1/issues', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}
