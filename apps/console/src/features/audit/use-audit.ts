import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { ListQuery, Schema } from '../../api/schema';

export type AuditQuery = ListQuery<'/v1/audit'>;
export type AuditAction = NonNullable<AuditQuery['action']>;
export type AuditEntry = Schema<'AuditEntryDto'>;

const ASK_WHILE_EMPTY_MS = 4_000;
/** More newer entries than these are shown as so many or more. */
export const MOST_COUNTED = 50;

const listed = (query: AuditQuery, signal: AbortSignal) =>
  answerOf(api.GET('/v1/audit', { params: { query }, signal }));

/**
 * One page of the audit log, newest first. Entries never change, so what is shown is not asked again: nothing moves
 * under the reader's hand. `useNewerEntries` counts what has come since.
 */
export function useAudit(query: AuditQuery) {
  return useQuery({
    queryKey: ['audit', 'page', query],
    queryFn: ({ signal }) => listed(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.entries.length === 0 ? ASK_WHILE_EMPTY_MS : false),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** How many entries that match were written since these were read; 0 while nothing is shown to compare with. */
export function useNewerEntries(query: AuditQuery, shown: readonly AuditEntry[]): number {
  const from = shown[0]?.at;
  const since = { ...query, offset: 0, limit: MOST_COUNTED, ...(from === undefined ? {} : { from }) };
  const { data } = useQuery({
    queryKey: ['audit', 'since', since],
    queryFn: ({ signal }) => listed(since, signal),
    enabled: from !== undefined && query.offset === 0,
  });
  return data?.entries.filter(({ id }) => shown.every((known) => known.id !== id)).length ?? 0;
}

/** Every entry that matches, whatever the page. */
export const exportAudit = (query: AuditQuery, accept: 'text/csv' | 'application/x-ndjson'): Promise<Blob> =>
  answerOf(api.GET('/v1/audit', { params: { query }, headers: { accept }, parseAs: 'blob' }));
