import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { DeliveryFilter } from '../deliveries/delivery-filters';
import type { BulkAction, BulkKind } from './bulk-words';
import { BULK_ACTIONS_KEY } from './use-bulk-actions';

interface Start {
  action: BulkKind;
  filter: DeliveryFilter;
  reason: string;
}

/** Starts a bulk action; it runs by itself from then on. */
export function useStartBulkAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Start): Promise<BulkAction> => {
      const started = await answerOf(api.POST('/v1/bulk-actions', { body }));
      if ('id' in started) return started;
      throw new Error('The api counted instead of starting.');
    },
    onSettled: () => client.invalidateQueries({ queryKey: BULK_ACTIONS_KEY }),
  });
}
