import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { EmptyState } from '../../feedback';
import { choicesOf, isKey, TextLink, Time } from '../../formats';
import { Page } from '../../page/page';
import { useMay } from '../../signed-in/use-me';
import {
  type Column,
  type Filter,
  FilterBar,
  ListView,
  PAGE_SIZE,
  usePageOffset,
  useUrlFilters,
} from '../../tables';
import { useConsumerChoices } from '../../queries/use-consumers';
import { IssueActions } from './issue-actions';
import { useIssues } from './issue-queries';
import { ISSUE_KINDS, ISSUE_STATES, IssueKindBadge, IssueStateBadge, type Issue } from './issue-words';

const NAMES = ['state', 'kind', 'consumerId'] as const;
type Name = (typeof NAMES)[number];

const COLUMNS: readonly Column<Issue>[] = [
  { header: 'Issue', cell: (issue) => <IssueKindBadge {...issue} /> },
  {
    header: 'Consumer',
    cell: ({ consumerId, consumerName }) =>
      consumerId === null ? 'None' : <TextLink to={`/consumers/${consumerId}`}>{consumerName}</TextLink>,
  },
  {
    header: 'Observed',
    cell: ({ summary, note }) => (
      <>
        {summary}
        {note !== null && (
          <Text size="sm" c="dimmed">
            Note: {note}
          </Text>
        )}
      </>
    ),
  },
  { header: 'State', cell: (issue) => <IssueStateBadge {...issue} /> },
  { header: 'Opened', cell: ({ openedAt }) => <Time at={openedAt} /> },
];

/** Conditions that need a person: unresolved ones first. */
export function IssuesPage() {
  const { values, set, clear, isFiltered } = useUrlFilters(NAMES);
  const isOnCall = useMay('oncall');
  const consumers = useConsumerChoices(values.consumerId === undefined ? [] : [values.consumerId]);
  const filters = useMemo(
    (): readonly Filter<Name>[] => [
      { kind: 'choice', name: 'state', label: 'State', choices: choicesOf(ISSUE_STATES) },
      { kind: 'choice', name: 'kind', label: 'Issue', choices: choicesOf(ISSUE_KINDS) },
      { kind: 'choice', name: 'consumerId', label: 'Consumer', ...consumers },
    ],
    [consumers],
  );
  const list = useIssues({ offset: usePageOffset(), limit: PAGE_SIZE, ...knownOnly(values) });
  return (
    <Page
      title="Issues"
      about="Conditions that need a person. They are opened and resolved automatically; acknowledge one to show that you take care of it."
    >
      <FilterBar filters={filters} values={values} onSet={set} onClear={clear} />
      <ListView
        list={list}
        caption="Issues"
        columns={COLUMNS}
        rows={list.data?.issues}
        rowId={({ id }) => id}
        rowLink={({ id }) => `/issues/${id}`}
        rowActions={isOnCall ? (issue) => <IssueActions issue={issue} isSmall /> : undefined}
        empty={
          <EmptyState title={isFiltered ? 'No issue matches' : 'No issues yet'}>
            {isFiltered
              ? 'Change or clear the filters.'
              : 'No consumer has needed a person in the last 90 days.'}
          </EmptyState>
        }
      />
    </Page>
  );
}

/** The filters without values that the api would refuse; the filter bar names those. */
function knownOnly({ state, kind, consumerId }: Partial<Record<Name, string>>) {
  return {
    ...(isKey(ISSUE_STATES, state) ? { state } : {}),
    ...(isKey(ISSUE_KINDS, kind) ? { kind } : {}),
    ...(consumerId === undefined ? {} : { consumerId }),
  };
}
