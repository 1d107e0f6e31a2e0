import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';

/** How the dispatcher is, at a glance. */
export const QUEUE = queryOptions({
  queryKey: ['queue'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/queue', { signal })),
});
