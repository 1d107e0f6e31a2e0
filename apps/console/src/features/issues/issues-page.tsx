import { SegmentedControl, Text } from '@mantine/core';
import { useMemo } from 'react';
import { EmptyState } from '../../feedback';
import {
  choicesOf,
  ContactLink,
  countInWords,
  durationInWords,
  isKey,
  TextLink,
  Time,
  useNow,
} from '../../formats';
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
import { AcknowledgeIssues } from './issue-actions';
import { useIssues } from './issue-queries';
import { issueRows, type IssueRow } from './issue-rows';
import { ISSUE_KINDS, ISSUE_STATES, IssueKindBadge, IssueStateBadge, type Issue } from './issue-words';

const NAMES = ['state', 'kind', 'consumerId'] as const;
type Name = (typeof NAMES)[number];

const STATES = { unresolved: { label: 'Unresolved' }, ...ISSUE_STATES };

const COLUMNS: readonly Column<IssueRow>[] = [
  { header: 'Issue', cell: ({ lead }) => <IssueKindBadge {...lead} /> },
  { header: 'Consumer', cell: ({ lead }) => <WhomToCall {...lead} /> },
  { header: 'When it was opened', cell: (row) => <Observed {...row} /> },
  {
    header: 'Waiting',
    isNumber: true,
    cell: ({ lead: { waiting } }) => (waiting === null ? '–' : countInWords(waiting)),
  },
  {
    header: 'State',
    cell: ({ lead }) => (
      <>
        <IssueStateBadge {...lead} />
        <Text size="sm" c="dimmed">
          {lead.state === 'resolved' ? (
            <>
              opened <Time at={lead.openedAt} />
            </>
          ) : (
            <OpenedAgo at={lead.openedAt} />
          )}
        </Text>
      </>
    ),
  },
];

/** Conditions that need a person: the unresolved ones, unless another state is chosen. */
export function IssuesPage() {
  const { values, set, clear } = useUrlFilters(NAMES);
  const { state: chosen, ...filtered } = values;
  const state = isKey(STATES, chosen) ? chosen : 'unresolved';
  const isOnCall = useMay('oncall');
  const consumers = useConsumerChoices([values.consumerId]);
  const filters = useMemo(
    (): readonly Filter<Name>[] => [
      { kind: 'choice', name: 'kind', label: 'Issue', choices: choicesOf(ISSUE_KINDS) },
      { kind: 'choice', name: 'consumerId', label: 'Consumer', ...consumers },
    ],
    [consumers],
  );
  const list = useIssues({ offset: usePageOffset(), limit: PAGE_SIZE, state, ...knownOnly(filtered) });
  return (
    <Page
      title="Issues"
      about="Conditions that need a person, the worst first. Acknowledge one to show that you take care of it."
    >
      <SegmentedControl
        aria-label="State"
        size="xs"
        data={choicesOf(STATES)}
        value={state}
        onChange={(value) => set('state', value)}
        style={{ alignSelf: 'flex-start' }}
      />
      <FilterBar filters={filters} values={filtered} onSet={set} onClear={clear} />
      <ListView
        list={list}
        caption="Issues"
        columns={COLUMNS}
        rows={list.data && issueRows(list.data.issues)}
        rowId={({ lead }) => lead.id}
        rowLink={({ lead }) => `/issues/${lead.id}`}
        rowActions={isOnCall && state !== 'resolved' ? (row) => <Acknowledge {...row} /> : undefined}
        empty={
          Object.keys(filtered).length > 0 ? (
            <EmptyState title="No issue matches">Change or clear the filters.</EmptyState>
          ) : (
            <EmptyState title={`No ${STATES[state].label.toLowerCase()} issues`}>
              {state === 'resolved'
                ? 'No issue was resolved in the last 90 days.'
                : 'No consumer needs a person.'}
            </EmptyState>
          )
        }
      />
    </Page>
  );
}

/** Without the moment, which the issue's page has: a second and third line would draw the eye from the words. */
const OpenedAgo = ({ at }: { at: string }) => `opened ${durationInWords(useNow() - Date.parse(at))} ago`;

function WhomToCall({ consumerId, consumerName, contact }: Issue) {
  if (consumerId === null) return 'None';
  return (
    <>
      <TextLink to={`/consumers/${consumerId}`}>{consumerName}</TextLink>
      <Text size="sm">
        <ContactLink contact={contact} />
      </Text>
    </>
  );
}

function Observed({ lead, others }: IssueRow) {
  const { kind, summary, note, dead } = lead;
  return (
    <>
      {kind === 'dead_not_settled' && dead !== null ? `${deadInWords(dead)} not handled yet.` : summary}
      {note !== null && (
        <Text size="sm" c="dimmed">
          Note: {note}
        </Text>
      )}
      {others.length > 0 && (
        <Text size="sm">
          Also:{' '}
          {others.map((issue, index) => (
            <span key={issue.id}>
              {index > 0 && ', '}
              <TextLink to={`/issues/${issue.id}`}>{alsoInWords(issue)}</TextLink>
            </span>
          ))}
        </Text>
      )}
    </>
  );
}

const deadInWords = (count: number): string =>
  count === 1 ? '1 dead delivery is' : `${countInWords(count)} dead deliveries are`;

const alsoInWords = ({ kind, dead }: Issue): string =>
  kind === 'dead_not_settled' && dead !== null
    ? `dead deliveries (${countInWords(dead)})`
    : ISSUE_KINDS[kind].label.toLowerCase();

/** All issues of the row that nobody takes care of. */
const Acknowledge = ({ lead, others }: IssueRow) => (
  <AcknowledgeIssues issues={[lead, ...others].filter(({ state }) => state === 'open')} isSmall />
);

/** The filters without values that the api would refuse; the filter bar names those. */
function knownOnly({ kind, consumerId }: Partial<Record<Name, string>>) {
  return {
    ...(isKey(ISSUE_KINDS, kind) ? { kind } : {}),
    ...(consumerId === undefined ? {} : { consumerId }),
  };
}
