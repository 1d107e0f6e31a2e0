import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../api/answer-of';
import { api } from '../api/client';
import { ProblemError } from '../api/problem-error';
import type { Schema } from '../api/schema';

export type Me = Schema<'MeDto'>;
export type Role = Me['may'][number];

export const ME_KEY = ['me'] as const;

/** Who is signed in; null when nobody is. */
export function useMe() {
  return useQuery({
    queryKey: ME_KEY,
    queryFn: async ({ signal }): Promise<Me | null> => {
      try {
        return await answerOf(api.GET('/v1/me', { signal }));
      } catch (error) {
        if (error instanceof ProblemError && error.status === 401) return null;
        throw error;
      }
    },
    // A role that was taken away, or a key that was revoked, shows without a reload.
    refetchInterval: 30_000,
    staleTime: 10_000,
  });
}
