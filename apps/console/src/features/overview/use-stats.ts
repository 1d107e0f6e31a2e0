import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { RANGES, type Range } from './ranges';

/** What happened in each step of a range that ends now. */
export function useStats(range: Range) {
  return useQuery({
    queryKey: ['stats', range],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - RANGES[range].ms).toISOString();
      return answerOf(api.GET('/v1/stats', { params: { query: { from } }, signal }));
    },
    refetchInterval: RANGES[range].refreshMs,
    placeholderData: keepPreviousData,
  });
}
