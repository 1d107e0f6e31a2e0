import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { ListQuery, Schema } from '../../api/schema';
import { useStillList } from '../../tables/use-still-list';

export type AuditQuery = ListQuery<'/v1/audit'>;
export type AuditAction = NonNullable<AuditQuery['action']>;
export type AuditEntry = Schema<'AuditEntryDto'>;

/** One page of the audit log, newest first. Entries never change. */
export const useAudit = (query: AuditQuery) =>
  useStillList({
    key: ['audit'],
    query,
    read: async (wanted: AuditQuery, signal) => {
      const { entries, pagination } = await answerOf(
        api.GET('/v1/audit', { params: { query: wanted }, signal }),
      );
      return { rows: entries, pagination };
    },
    idOf: ({ id }) => id,
    atOf: ({ at }) => at,
    rowsChange: false,
  });

/** Every entry that matches, whatever the page. */
export const exportAudit = (query: AuditQuery, accept: 'text/csv' | 'application/x-ndjson'): Promise<Blob> =>
  answerOf(api.GET('/v1/audit', { params: { query }, headers: { accept }, parseAs: 'blob' }));
