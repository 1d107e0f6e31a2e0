import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { EmptyState, QueryState } from '../../feedback';
import {
  choicesOf,
  ContactLink,
  countInWords,
  percentInWords,
  HEALTH,
  HealthBadge,
  isPlanned,
  needsAttention,
  trendInWords,
  type Health,
} from '../../formats';
import { Page } from '../../page/page';
import { useMay } from '../../signed-in/use-me';
import { type Column, DataTable, type Filter, FilterBar, useUrlFilters } from '../../tables';
import { MOST_CONSUMERS, useAllConsumers, type Consumer } from '../../queries/use-consumers';

const NAMES = ['name', 'health'] as const;
const FILTERS: readonly Filter<(typeof NAMES)[number]>[] = [
  { kind: 'text', name: 'name', label: 'Consumer', placeholder: 'name, ID or contact' },
  {
    kind: 'choice',
    name: 'health',
    label: 'Health',
    choices: [{ value: 'attention', label: 'Needs attention' }, ...choicesOf(HEALTH)],
  },
];

const COLUMNS: readonly Column<Consumer>[] = [
  { header: 'Consumer', cell: ({ name, externalId }) => <span title={externalId ?? ''}>{name}</span> },
  { header: 'Health', cell: (of) => <HealthBadge health={of.health} until={of.pausedUntil} /> },
  {
    header: 'Cause',
    cell: ({ health: { cause, notices, summary, advice } }) => (
      <Text span inherit truncate display="block" maw={160} title={`${summary} ${advice}`}>
        {cause?.words ?? notices[0]?.words ?? '–'}
      </Text>
    ),
  },
  { header: 'Waiting', cell: ({ health }) => countInWords(health.waiting), isNumber: true },
  { header: 'Trend', cell: ({ health }) => trendInWords(health) },
  { header: 'In/min', cell: ({ health }) => countInWords(health.inPerMinute), isNumber: true },
  { header: 'Out/min', cell: ({ health }) => countInWords(health.outPerMinute), isNumber: true },
  {
    header: 'Success %',
    cell: ({ health: { successShare } }) =>
      successShare === null ? '–' : percentInWords(successShare).replace('%', ''),
    isNumber: true,
  },
  { header: 'Dead', cell: ({ health: { dead } }) => countInWords(dead.count), isNumber: true },
  {
    header: 'Contact',
    cell: ({ contact }) => (
      <Text span inherit truncate display="block" maw={130} title={contact ?? ''}>
        <ContactLink contact={contact} />
      </Text>
    ),
  },
];

const AT_ONCE = 100;
const WORST_FIRST = Object.keys(HEALTH);

export function ConsumersPage() {
  const isOperator = useMay('operator');
  const { values, set, clear, isFiltered } = useUrlFilters(NAMES);
  const query = useAllConsumers();
  const { data } = query;
  const [shown, setShown] = useState(AT_ONCE);
  const listed = useMemo((): Consumer[] => {
    const wanted = values.name?.toLowerCase() ?? '';
    return (data ?? [])
      .filter((consumer) => isNamed(consumer, wanted) && isMeant(consumer.health, values.health))
      .toSorted(
        (a, b) =>
          rankOf(a.health) - rankOf(b.health) ||
          b.health.waiting - a.health.waiting ||
          a.name.localeCompare(b.name),
      );
  }, [data, values.name, values.health]);
  return (
    <Page
      title="Consumers"
      about="The customers’ systems that are notified, worst first."
      actions={
        isOperator && (
          <Button component={Link} to="/consumers/new" leftSection={<IconPlus size={16} />}>
            Onboard a consumer
          </Button>
        )
      }
    >
      <FilterBar filters={FILTERS} values={values} onSet={set} onClear={clear} />
      <QueryState query={query} what="list" />
      {data !== undefined && listed.length === 0 && (
        <EmptyState title={isFiltered ? 'No consumer matches' : 'No consumers yet'}>
          {isFiltered
            ? 'Change or clear the filters.'
            : 'Accepted events are kept as unrouted until an operator onboards the first consumer.'}
        </EmptyState>
      )}
      {listed.length > 0 && (
        <DataTable
          caption="Consumers"
          isDense
          columns={COLUMNS}
          rows={listed.slice(0, shown)}
          rowId={({ id }) => id}
          rowLink={({ id }) => `/consumers/${id}`}
        />
      )}
      {listed.length > shown && (
        <Button variant="default" onClick={() => setShown(shown + AT_ONCE)}>
          Show {Math.min(AT_ONCE, listed.length - shown)} more of {listed.length}
        </Button>
      )}
      {data !== undefined && data.length >= MOST_CONSUMERS && (
        <Text>Only the newest {data.length} are shown here.</Text>
      )}
    </Page>
  );
}

const isNamed = ({ id, name, externalId, contact }: Consumer, wanted: string): boolean =>
  [id, name, externalId ?? '', contact ?? ''].some((text) => text.toLowerCase().includes(wanted));

const isMeant = (health: Health, wanted: string | undefined): boolean =>
  wanted === undefined || (wanted === 'attention' ? needsAttention(health) : health.state === wanted);

/** Worst first; planned pauses and healthy consumers last. */
function rankOf(health: Health): number {
  if (isPlanned(health)) return WORST_FIRST.length + 1;
  if (health.state === 'healthy' && !needsAttention(health)) return WORST_FIRST.length + 2;
  return WORST_FIRST.indexOf(health.state);
}
