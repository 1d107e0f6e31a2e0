import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';

export function useConsumer(id: string) {
  return useQuery({
    queryKey: ['consumers', id],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/consumers/{id}', { params: { path: { id } }, signal })),
  });
}

/** Versions of a consumer's credentials, without their values, the newest first. */
export function useCredentials(id: string) {
  return useQuery({
    queryKey: ['consumers', id, 'credentials'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/consumers/{id}/credentials', { params: { path: { id } }, signal })),
    select: ({ credentials }) => credentials,
  });
}
