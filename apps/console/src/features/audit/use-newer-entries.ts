import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { AuditEntry, AuditQuery } from './use-audit';

/** More than these are told as so many or more. */
export const MOST_COUNTED = 50;

/** How many entries that match were written since these were read; 0 while nothing is shown to compare with. */
export function useNewerEntries(query: AuditQuery, shown: readonly AuditEntry[]): number {
  const [newest] = shown;
  const since: AuditQuery = {
    ...query,
    offset: 0,
    limit: MOST_COUNTED,
    ...(newest === undefined ? {} : { from: newest.at }),
  };
  const { data } = useQuery({
    queryKey: ['audit', 'since', since],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/audit', { params: { query: since }, signal })),
    enabled: newest !== undefined && query.offset === 0,
  });
  const known = new Set(shown.map(({ id }) => id));
  return data?.entries.filter(({ id }) => !known.has(id)).length ?? 0;
}
