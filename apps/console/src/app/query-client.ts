import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ProblemError } from '../api';
import { ME_KEY } from '../session/use-me';

/** Every screen is live: what it shows is asked again this often while its tab is in view. */
const REFRESH_EVERY_MS = 4_000;
const MOST_RETRIES = 2;

/** A refusal stays one however often it is asked; only our own faults and silence are worth another try. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < MOST_RETRIES && !(error instanceof ProblemError && error.status < 500);

/** TanStack Query as this console uses it; any 401 means that the session has ended. */
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
        // The browser's idea of being offline says nothing about the way to the api.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
