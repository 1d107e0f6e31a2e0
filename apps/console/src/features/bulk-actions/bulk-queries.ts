import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { ProblemError } from '../../api/problem-error';
import type { DeliveryFilter } from '../deliveries/delivery-filters';
import type { BulkAction, BulkKind } from './bulk-words';

/** What the queries of all that shows bulk actions begin with. */
const BULK_ACTIONS_KEY = ['bulk-actions'] as const;

const WHILE_ONE_IS_SHOWN_MS = 1_000;
const WHILE_RUNNING_MS = 1_500;
const OTHERWISE_MS = 4_000;

/** One bulk action; asked often for as long as it runs. */
export function useBulkAction(id: string) {
  return useQuery({
    queryKey: [...BULK_ACTIONS_KEY, 'one', id],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/bulk-actions/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.state === 'running' ? WHILE_ONE_IS_SHOWN_MS : false,
  });
}

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

/** How many deliveries an action covers, and how long it took to count them, in milliseconds. */
interface BulkPreview {
  /** Null when they are too many to count within five seconds. */
  matched: number | null;
  tookMs: number;
}

/** Where a count is kept. It is no part of what bulk actions change: a count that a refusal brought must stay. */
const previewKey = (action: BulkKind, filter: DeliveryFilter) => ['bulk-preview', action, filter];

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

/** `counting`; or null, when it was not counted since that takes too long or failed: the dialog says more. */
export type BulkCount = number | 'counting' | null;

/**
 * How many deliveries each kind of action covers. They are counted one after the other, and when one of them cannot be
 * counted in time the others are not tried: an expensive filter costs PostgreSQL one count, not four.
 */
export function useBulkCounts(filter: DeliveryFilter, isWanted: boolean): Record<BulkKind, BulkCount> {
  const replay = useCount('replay', filter, isWanted);
  const retry = useCount('retry', filter, isWanted && typeof replay === 'number');
  const cancel = useCount('cancel', filter, isWanted && typeof retry === 'number');
  const acknowledge = useCount('acknowledge', filter, isWanted && typeof cancel === 'number');
  const isUnknown = [replay, retry, cancel, acknowledge].includes(null);
  const known = (count: BulkCount): BulkCount => (isUnknown && count === 'counting' ? null : count);
  return { replay, retry: known(retry), cancel: known(cancel), acknowledge: known(acknowledge) };
}

function useCount(kind: BulkKind, filter: DeliveryFilter, isWanted: boolean): BulkCount {
  const { data, error } = useBulkPreview(kind, filter, { isWanted, isKeptFresh: true });
  if (data !== undefined) return data.matched;
  return error === null ? 'counting' : null;
}

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

/** Stops a bulk action after the step that is under way. */
export function useStopBulkAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      answerOf(api.POST('/v1/bulk-actions/{id}/stop', { params: { path: { id } }, body: { reason } })),
    onSettled: () => client.invalidateQueries({ queryKey: BULK_ACTIONS_KEY }),
  });
}
