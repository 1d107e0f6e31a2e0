import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api';
import type { DeliveryFilter } from '../delivery-filter/delivery-fields';
import { KINDS, type BulkKind } from './bulk-words';

/** The beginning of the keys of all queries of bulk actions. */
export const BULK_ACTIONS_KEY = ['bulk-actions'] as const;

const WHILE_RUNNING_MS = 1_500;
const OTHERWISE_MS = 4_000;

/** Bulk actions, newest first; read more often while one runs. */
export function useBulkActions(query: { offset: number; limit: number }) {
  return useQuery({
    queryKey: [...BULK_ACTIONS_KEY, 'list', query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/bulk-actions', { params: { query }, signal })),
    refetchInterval: ({ state: { data } }) =>
      data?.bulkActions.some(({ state }) => state === 'running') ? WHILE_RUNNING_MS : OTHERWISE_MS,
    placeholderData: keepPreviousData,
  });
}

/** The number of deliveries of an action; null when counting takes longer than five seconds. */
const countOf = async (action: BulkKind, filter: DeliveryFilter, signal: AbortSignal) => {
  const body = { action, filter, dryRun: true, reason: 'only counts' };
  return (await answerOf(api.POST('/v1/bulk-actions', { body, signal }))).matched;
};

/** The number of deliveries of a bulk action. Counting may take seconds, so it is done once. */
export const useBulkPreview = (action: BulkKind, filter: DeliveryFilter, isWanted: boolean) =>
  useQuery({
    // Not under BULK_ACTIONS_KEY: starting one must not count again.
    queryKey: ['bulk-preview', action, filter],
    queryFn: ({ signal }) => countOf(action, filter, signal),
    enabled: isWanted,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });

/** A count that is this fast is repeated while it is visible. */
const CHEAP_MS = 1_000;
const RECOUNT_EVERY_MS = 10_000;

/**
 * The number of deliveries of each kind of action, counted one after the other. After an expensive count the other kinds
 * are left out, and the dialog counts.
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
