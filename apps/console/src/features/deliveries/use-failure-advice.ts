import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { Delivery } from './delivery-acts';

/** What the api advises against failures like this delivery's last one, when its consumer had such lately. */
export function useFailureAdvice({ consumerId, lastOutcome, lastHttpStatus }: Delivery): string | undefined {
  const { data } = useQuery({
    queryKey: ['consumers', consumerId, 'failures'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/consumers/{id}/failures', { params: { path: { id: consumerId } }, signal })),
    refetchInterval: 60_000,
    staleTime: 10_000,
  });
  return data?.failures.find(
    ({ outcome, httpStatus }) => outcome === lastOutcome && httpStatus === lastHttpStatus,
  )?.advice;
}
