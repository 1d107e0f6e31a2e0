import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api';
import type { DeliveryFilter } from '../deliveries/delivery-filters';
import { KINDS, type BulkKind } from './bulk-words';

/** What the queries of all that shows bulk actions begin with. */
export const BULK_ACTIONS_KEY = ['bulk-actions'] as const;

const WHILE_RUNNING_MS = 1_500;
const OTHERWISE_MS = 4_000;

/** Bulk actions, the newest first; asked more often while one of them runs. */
export function useBulkActions(query: { offset: number; limit: number }) {
  return useQuery({
    queryKey: [...BULK_ACTIONS_KEY, 'list', query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/bulk-actions', { params: { query }, signal })),
    refetchInterval: ({ state: { data } }) =>
      data?.bulkActions.some(({ state }) => state === 'running') ? WHILE_RUNNING_MS : OTHERWISE_MS,
    placeholderData: keepPreviousData,
  });
}

/** How many deliveries an action covers; null when they are too many to count within five seconds. */
const countOf = async (action: BulkKind, filter: DeliveryFilter, signal: AbortSignal) => {
  const body = { action, filter, dryRun: true, reason: 'only counts' };
  return (await answerOf(api.POST('/v1/bulk-actions', { body, signal }))).matched;
};

/** How many deliveries a bulk action would cover. Counting may take PostgreSQL seconds, so it is done once. */
export const useBulkPreview = (action: BulkKind, filter: DeliveryFilter, isWanted: boolean) =>
  useQuery({
    // No part of what bulk actions change: to start one must not count again.
    queryKey: ['bulk-preview', action, filter],
    queryFn: ({ signal }) => countOf(action, filter, signal),
    enabled: isWanted,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });

/** What is counted this fast is counted again while it is in view. */
const CHEAP_MS = 1_000;
const RECOUNT_EVERY_MS = 10_000;

/**
 * How many deliveries each kind of action covers, one counted after the other. An expensive filter costs PostgreSQL one
 * count, not four: the other kinds are left out then, and the dialog counts.
 */
export const useBulkCounts = (filter: DeliveryFilter, isWanted: boolean) =>
  useQuery({
    queryKey: ['bulk-counts', filter],
    queryFn: async ({ signal }) => {
      const counts: Partial<Record<BulkKind, number>> = {};
      const startedAt = performance.now();
      for (const kind of KINDS) {
        const matched = await countOf(kind, filter, signal);
        if (matched === null) break;
        counts[kind] = matched;
      }
      return { counts, isCheap: performance.now() - startedAt < CHEAP_MS };
    },
    enabled: isWanted,
    refetchInterval: ({ state: { data } }) => (data?.isCheap === true ? RECOUNT_EVERY_MS : false),
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
