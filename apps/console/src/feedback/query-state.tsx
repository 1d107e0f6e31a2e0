import { LoadingState } from './loading-state';
import { ProblemAlert } from './problem-alert';

export interface QueryStateProps {
  query: { data: unknown; error: Error | null; refetch: () => Promise<unknown> };
  /** The name of the data, e.g. `delivery`. */
  what: string;
}

/** The loading state or the error of a query. */
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
