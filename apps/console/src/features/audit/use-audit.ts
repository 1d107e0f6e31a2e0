import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { ListQuery, Schema } from '../../api/schema';

export type AuditQuery = ListQuery<'/v1/audit'>;
export type AuditAction = NonNullable<AuditQuery['action']>;
export type AuditEntry = Schema<'AuditEntryDto'>;

const ASK_WHILE_EMPTY_MS = 4_000;

/**
 * One page of the audit log, newest first. Entries never change, so what is shown is not asked again: nothing moves
 * under whoever reads. What has come since is told by `useNewerEntries`.
 */
export function useAudit(query: AuditQuery) {
  return useQuery({
    queryKey: ['audit', 'page', query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/audit', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.entries.length === 0 ? ASK_WHILE_EMPTY_MS : false),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
