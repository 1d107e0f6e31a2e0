import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api';

/** How the dispatcher is, at a glance. */
export const QUEUE = queryOptions({
  queryKey: ['queue'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/queue', { signal })),
});
