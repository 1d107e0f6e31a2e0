import { useQuery } from '@tanstack/react-query';
import { answerOf, api, ProblemError, type Schema } from '../api';

export type Me = Schema<'MeDto'>;
export type Role = Me['may'][number];

export const ME_KEY = ['me'] as const;

/** The signed-in person or key; null without a session. */
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
    // A removed role or a revoked key takes effect without a reload.
    refetchInterval: 30_000,
    staleTime: 10_000,
  });
}

/** Whether the signed-in person has this role; commands without permission are not offered. */
export function useMay(role: Role): boolean {
  return useMe().data?.may.includes(role) ?? false;
}

/** What each role may do. */
export const ROLES_IN_WORDS: Readonly<Record<Schema<'ApiKeyDto'>['roles'][number], string>> = {
  viewer: 'Reads everything except the audit log and the API keys. Changes nothing.',
  oncall: 'Viewer, and also: retry, cancel, replay, pause, resume, test.',
  operator: 'On-call, and also: register, change and remove consumers and their credentials.',
  admin: 'Everything, including the audit log and the API keys.',
  producer: 'Posts status changes and reads the payments that it posted.',
  consumer:
    'Sees and resends the notifications of its own consumer, rotates its credentials, requests its URL.',
};
