import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { Trouble } from './consumer-health';

/** What the queue's state says of each consumer in trouble, by its id. */
export function useTroubles() {
  return useQuery({
    queryKey: ['queue'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/queue', { signal })),
    select: ({ trouble }): ReadonlyMap<string, Trouble> =>
      new Map(trouble.map((each) => [each.consumerId, each])),
  });
}
