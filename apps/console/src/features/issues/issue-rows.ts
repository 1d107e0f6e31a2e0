import type { Issue } from './issue-words';

/** The unresolved issues of one consumer, or one issue. */
export interface IssueRow {
  /** The worst of them. */
  readonly lead: Issue;
  readonly others: readonly Issue[];
}

/** One row for the unresolved issues of each consumer, in the order of the list, which has the worst first. */
export function issueRows(issues: readonly Issue[]): IssueRow[] {
  const keyOf = ({ id, state, consumerId }: Issue): string =>
    state === 'resolved' ? id : (consumerId ?? id);
  return [...Map.groupBy(issues, keyOf).values()].flatMap(([lead, ...others]) =>
    lead === undefined ? [] : { lead, others },
  );
}
