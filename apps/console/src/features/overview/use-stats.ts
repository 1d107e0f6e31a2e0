import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { RANGES, type Range } from './ranges';

/** What happened in each step of a range that ends now; to one consumer, or altogether. */
export function useStats(range: Range, consumerId?: string) {
  return useQuery({
    queryKey: ['stats', range, consumerId],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - RANGES[range].ms).toISOString();
      return answerOf(
        api.GET('/v1/stats', {
          params: { query: { from, ...(consumerId === undefined ? {} : { consumerId }) } },
          signal,
        }),
      );
    },
    refetchInterval: RANGES[range].refreshMs,
    placeholderData: keepPreviousData,
  });
}
