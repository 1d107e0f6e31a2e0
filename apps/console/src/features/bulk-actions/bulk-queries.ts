import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { ProblemError } from '../../api/problem-error';
import type { DeliveryFilter } from '../deliveries/delivery-filters';
import { KINDS, type BulkAction, type BulkKind } from './bulk-words';

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

/** Where a count is kept. It is no part of what bulk actions change: a count that a refusal brought must stay. */
const previewKey = (action: BulkKind, filter: DeliveryFilter) => ['bulk-preview', action, filter];

/** How many deliveries an action covers; null when they are too many to count within five seconds. */
const countOf = async (action: BulkKind, filter: DeliveryFilter, signal: AbortSignal) => {
  const body = { action, filter, dryRun: true, reason: 'only counts' };
  return (await answerOf(api.POST('/v1/bulk-actions', { body, signal }))).matched;
};

/** How many deliveries a bulk action would cover. Counting may take PostgreSQL seconds, so it is done once. */
export const useBulkPreview = (action: BulkKind, filter: DeliveryFilter, isWanted: boolean) =>
  useQuery({
    queryKey: previewKey(action, filter),
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
        if (matched !== null) counts[kind] = matched;
        if (matched === null || performance.now() - startedAt > CHEAP_MS) break;
      }
      return counts;
    },
    enabled: isWanted,
    refetchInterval: ({ state: { data = {} } }) =>
      KINDS.every((kind) => data[kind] !== undefined) ? RECOUNT_EVERY_MS : false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });

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
      client.setQueryData(previewKey(action, filter), error.matched);
    },
    onSettled: () => client.invalidateQueries({ queryKey: BULK_ACTIONS_KEY }),
  });
}

/** Whether it was refused because more match than its operator has confirmed. */
export const isMoreMatch = (error: Error | null): error is ProblemError & { matched: number | null } =>
  error instanceof ProblemError && error.matched !== undefined;
