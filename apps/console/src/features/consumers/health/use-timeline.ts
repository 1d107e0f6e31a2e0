import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../../api/answer-of';
import { api } from '../../../api/client';
import type { Schema } from '../../../api/schema';

/** What went wrong and what was changed, on one line of time. */
export type Moment =
  | { readonly kind: 'failures'; readonly at: string; readonly group: Schema<'FailureGroupDto'> }
  | { readonly kind: 'change'; readonly at: string; readonly entry: Schema<'AuditEntryDto'> };

const ASK_EVERY_MS = 10_000;
const NEWEST_CHANGES = 30;

export function useFailures(id: string) {
  return useQuery({
    queryKey: ['consumers', id, 'failures'],
    refetchInterval: ASK_EVERY_MS,
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/consumers/{id}/failures', { params: { path: { id } }, signal })),
  });
}

export function useChanges(id: string) {
  return useQuery({
    queryKey: ['audit', id],
    refetchInterval: ASK_EVERY_MS,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/audit', {
          params: { query: { target: `consumer:${id}`, limit: NEWEST_CHANGES } },
          signal,
        }),
      ),
  });
}

/** The newest first; a group of failures stands where its last one was. */
export function momentsOf(
  failures: readonly Schema<'FailureGroupDto'>[],
  entries: readonly Schema<'AuditEntryDto'>[],
): Moment[] {
  return [
    ...failures.map((group): Moment => ({ kind: 'failures', at: group.lastAt, group })),
    ...entries.map((entry): Moment => ({ kind: 'change', at: entry.at, entry })),
  ].sort((a, b) => b.at.localeCompare(a.at));
}
