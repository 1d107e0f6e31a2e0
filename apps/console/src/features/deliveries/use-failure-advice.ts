import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { Schema } from '../../api/schema';

/** The api groups a consumer's failures of a time; this much around the attempt holds the attempt itself. */
const AROUND_MS = 60_000;

/** What the api advises against failures like a delivery's last one. */
export function useFailureAdvice(consumerId: string, attempt: Schema<'AttemptDto'>): string | undefined {
  const at = new Date(attempt.startedAt).getTime();
  const query = {
    from: new Date(at - AROUND_MS).toISOString(),
    to: new Date(at + AROUND_MS).toISOString(),
  };
  const { data } = useQuery({
    queryKey: ['consumers', consumerId, 'failures', query],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/consumers/{id}/failures', { params: { path: { id: consumerId }, query }, signal }),
      ),
    refetchInterval: false,
    staleTime: Infinity,
    // A removed consumer is not advised on.
    retry: false,
  });
  return data?.failures.find(
    ({ outcome, httpStatus }) => outcome === attempt.outcome && httpStatus === attempt.httpStatus,
  )?.advice;
}
