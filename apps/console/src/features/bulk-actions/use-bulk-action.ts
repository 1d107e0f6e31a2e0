import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { BULK_ACTIONS_KEY } from './use-bulk-actions';

const WHILE_RUNNING_MS = 1_000;

/** One bulk action; asked often for as long as it runs. */
export function useBulkAction(id: string) {
  return useQuery({
    queryKey: [...BULK_ACTIONS_KEY, 'one', id],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/bulk-actions/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.state === 'running' ? WHILE_RUNNING_MS : false,
  });
}
