import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../../api/answer-of';
import { api } from '../../../api/client';

/** The keys with which a consumer reads its own notifications. */
export function useConsumerKeys(id: string, offset: number, limit: number) {
  return useQuery({
    queryKey: ['consumers', id, 'keys', offset],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/consumers/{id}/keys', {
          params: { path: { id }, query: { offset, limit } },
          signal,
        }),
      ),
  });
}
