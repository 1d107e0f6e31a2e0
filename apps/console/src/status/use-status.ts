import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../api/answer-of';
import { api } from '../api/client';
import type { Schema } from '../api/schema';

/** What the parts that everything depends on are called. */
export const PART_NAMES: Readonly<Record<Schema<'PartDto'>['name'], string>> = {
  postgres: 'PostgreSQL',
  redis: 'Redis',
};

const ASK_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 5_000;

/** Whether PostgreSQL and Redis are up; answers also when nothing else does. */
export function useStatus() {
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/status', { signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]) }),
      ),
    refetchInterval: ASK_EVERY_MS,
    retry: false,
  });
}
