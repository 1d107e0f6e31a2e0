import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ProblemError } from '../api';
import { ME_KEY } from '../signed-in/use-me';

/** How often every screen reads its data again while its tab is visible. */
const REFRESH_EVERY_MS = 4_000;
const MOST_RETRIES = 2;

/** A refusal is final; only internal errors and missing answers are retried. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < MOST_RETRIES && !(error instanceof ProblemError && error.status < 500);

/** The query client of the console; any 401 means that the session has ended. */
export function createQueryClient(): QueryClient {
  const onError = (error: Error): void => {
    if (error instanceof ProblemError && error.status === 401) client.setQueryData(ME_KEY, null);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        refetchInterval: REFRESH_EVERY_MS,
        retry: isWorthRetrying,
        // The browser's offline state says nothing about the connection to the api.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
