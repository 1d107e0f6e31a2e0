import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../../api/answer-of';
import { api } from '../../../api/client';

export const RANGES = { hour: 3_600_000, day: 86_400_000 } as const;
export type Range = keyof typeof RANGES;

const ASK_EVERY_MS = 15_000;

/** Deliveries, failures and latency of one consumer, step by step, until now. */
export function useStats(consumerId: string, range: Range) {
  return useQuery({
    queryKey: ['stats', consumerId, range],
    refetchInterval: ASK_EVERY_MS,
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - RANGES[range]).toISOString();
      return answerOf(api.GET('/v1/stats', { params: { query: { consumerId, from } }, signal }));
    },
  });
}
