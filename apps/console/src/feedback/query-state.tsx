import { LoadingState } from './loading-state';
import { ProblemAlert } from './problem-alert';

interface QueryStateProps {
  query: { data: unknown; error: Error | null; refetch: () => Promise<unknown> };
  /** What was asked for, e.g. `delivery`. */
  what: string;
}

/** Why a query has nothing to show yet, or that what it shows may be old. */
export function QueryState({ query: { data, error, refetch }, what }: QueryStateProps) {
  if (error !== null)
    return (
      <ProblemAlert
        error={error}
        what={`${what.charAt(0).toUpperCase()}${what.slice(1)}`}
        onRetry={() => void refetch()}
      />
    );
  return data === undefined ? <LoadingState what={`the ${what}`} /> : null;
}
