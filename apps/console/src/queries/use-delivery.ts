import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api';

/** The beginning of the keys of all queries of deliveries. */
export const DELIVERIES_KEY = ['deliveries'] as const;

/** One delivery with its attempts; nothing is read for null. */
export const useDelivery = (id: string | null) =>
  useQuery({
    queryKey: [...DELIVERIES_KEY, 'one', id],
    enabled: id !== null,
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/deliveries/{id}', { params: { path: { id: id ?? '' } }, signal })),
  });
