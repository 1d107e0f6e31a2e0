import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { ListQuery, Schema } from '../../api/schema';

export type ApiKey = Schema<'ApiKeyDto'>;

/** API keys, the newest first; the keys themselves are not shown to anybody. */
export function useApiKeys(query: ListQuery<'/v1/api-keys'>) {
  return useQuery({
    queryKey: ['api-keys', query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/api-keys', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}
