import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { DeliveryFilter } from '../deliveries/delivery-filters';
import type { BulkKind } from './bulk-words';

/** How many deliveries an action covers, and how long it took to count them, in milliseconds. */
export interface BulkPreview {
  /** Null when they are too many to count within five seconds. */
  matched: number | null;
  tookMs: number;
}

/** Where a count is kept. It is no part of what bulk actions change: a count that a refusal brought must stay. */
export const previewKey = (action: BulkKind, filter: DeliveryFilter) => ['bulk-preview', action, filter];

/** What is counted this fast is counted again while it is in view. */
const CHEAP_MS = 300;
const RECOUNT_EVERY_MS = 10_000;

/**
 * How many deliveries a bulk action would cover. Counting may take PostgreSQL seconds, so it is done once; `isKeptFresh`
 * counts again every ten seconds as long as that is cheap.
 */
export function useBulkPreview(
  action: BulkKind,
  filter: DeliveryFilter,
  { isWanted = true, isKeptFresh = false } = {},
) {
  return useQuery({
    queryKey: previewKey(action, filter),
    queryFn: async ({ signal }): Promise<BulkPreview> => {
      const startedAt = performance.now();
      const body = { action, filter, dryRun: true, reason: 'only counts' };
      const { matched } = await answerOf(api.POST('/v1/bulk-actions', { body, signal }));
      return { matched, tookMs: performance.now() - startedAt };
    },
    enabled: isWanted,
    refetchInterval: ({ state: { data } }) =>
      isKeptFresh && data !== undefined && data.tookMs < CHEAP_MS ? RECOUNT_EVERY_MS : false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
}
