import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { DeliveryFilter } from '../deliveries/delivery-filters';
import { BULK_ACTIONS_KEY } from './use-bulk-actions';
import type { BulkKind } from './bulk-words';

/** How many deliveries a bulk action would look at; null when they are too many to count. */
export function useBulkPreview(action: BulkKind, filter: DeliveryFilter) {
  return useQuery({
    queryKey: [...BULK_ACTIONS_KEY, 'preview', action, filter],
    queryFn: async ({ signal }) => {
      const body = { action, filter, dryRun: true, reason: 'only counts' };
      return (await answerOf(api.POST('/v1/bulk-actions', { body, signal }))).matched;
    },
    // Counting may take PostgreSQL seconds: once for each opening.
    refetchInterval: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
}
