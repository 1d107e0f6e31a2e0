import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { DELIVERIES_KEY } from './use-deliveries';

/** One delivery with every attempt. */
export function useDelivery(id: string) {
  return useQuery({
    queryKey: [...DELIVERIES_KEY, 'one', id],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/deliveries/{id}', { params: { path: { id } }, signal })),
  });
}
