import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api';

/** The state of the dispatcher. */
export const QUEUE = queryOptions({
  queryKey: ['queue'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/overview', { signal })),
});
