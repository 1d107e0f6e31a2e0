import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { ProblemError } from '../../api/problem-error';
import type { DeliveryFilter } from '../deliveries/delivery-filters';
import type { BulkAction, BulkKind } from './bulk-words';
import { BULK_ACTIONS_KEY } from './use-bulk-actions';
import { previewKey, type BulkPreview } from './use-bulk-preview';

interface Start {
  action: BulkKind;
  filter: DeliveryFilter;
  reason: string;
  /** How many its operator has seen and confirmed. */
  expectedCount: number;
}

/** Starts a bulk action, which the workers carry out. When more match meanwhile, the new count takes the preview's place. */
export function useStartBulkAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Start): Promise<BulkAction> => {
      const started = await answerOf(api.POST('/v1/bulk-actions', { body }));
      if ('id' in started) return started;
      throw new Error('The api counted instead of starting.');
    },
    onError: (error, { action, filter }) => {
      if (!isMoreMatch(error)) return;
      client.setQueryData<BulkPreview>(previewKey(action, filter), { matched: error.matched, tookMs: 0 });
    },
    onSettled: () => client.invalidateQueries({ queryKey: BULK_ACTIONS_KEY }),
  });
}

/** Whether it was refused because more match than its operator has confirmed. */
export const isMoreMatch = (error: Error | null): error is ProblemError & { matched: number | null } =>
  error instanceof ProblemError && error.matched !== undefined;
