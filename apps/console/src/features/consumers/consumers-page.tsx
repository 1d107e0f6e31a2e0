import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../../feedback/empty-state';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { Page } from '../../layout/page';
import { useMay } from '../../session/use-may';
import { FilterBar, type Filter } from '../../tables/filter-bar';
import { useUrlFilters } from '../../tables/use-url-filters';
import { healthOf, severity } from './consumer-health';
import { ConsumersTable, type ListedConsumer } from './consumers-table';
import { MOST_CONSUMERS, useAllConsumers, type Consumer } from './use-all-consumers';
import { useTroubles } from './use-troubles';

const NAMES = ['name', 'health'] as const;
const FILTERS: readonly Filter<(typeof NAMES)[number]>[] = [
  { kind: 'text', name: 'name', label: 'Consumer', placeholder: 'part of its name, id or contact' },
  {
    kind: 'choice',
    name: 'health',
    label: 'Health',
    choices: [
      { value: 'trouble', label: 'In trouble' },
      { value: 'well', label: 'Well' },
    ],
  },
];

export function ConsumersPage() {
  const isOperator = useMay('operator');
  const { values, set, clear, isFiltered } = useUrlFilters(NAMES);
  const { data, error, refetch } = useAllConsumers();
  const troubles = useTroubles();
  const listed = useMemo((): ListedConsumer[] => {
    const wanted = values.name?.toLowerCase() ?? '';
    return (data ?? [])
      .filter((consumer) => isNamed(consumer, wanted))
      .map((consumer) => {
        const trouble = troubles.get(consumer.id);
        return {
          consumer,
          health: healthOf(consumer, trouble),
          ...(trouble === undefined ? {} : { trouble }),
        };
      })
      .filter(
        ({ health }) =>
          values.health === undefined || (health.kind === 'well') === (values.health === 'well'),
      )
      .sort(
        (a, b) =>
          severity(a.health.kind) - severity(b.health.kind) ||
          (b.trouble?.backlog ?? 0) - (a.trouble?.backlog ?? 0) ||
          a.consumer.name.localeCompare(b.consumer.name),
      );
  }, [data, troubles, values.name, values.health]);
  return (
    <Page
      title="Consumers"
      about="The customers’ systems that are notified, whoever is in trouble first."
      actions={
        isOperator && (
          <Button component={Link} to="/consumers/new" leftSection={<IconPlus size={16} />}>
            Onboard a consumer
          </Button>
        )
      }
    >
      <FilterBar filters={FILTERS} values={values} onSet={set} onClear={clear} />
      {error !== null && (
        <ProblemAlert error={error} title="The list cannot be read" onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <LoadingState what="consumers" />}
      {data !== undefined && listed.length === 0 && (
        <EmptyState title={isFiltered ? 'No consumer matches' : 'No consumers yet'}>
          {isFiltered
            ? 'Change or clear the filters.'
            : 'Until one is onboarded, accepted events are kept as unrouted. An operator onboards the first one.'}
        </EmptyState>
      )}
      {listed.length > 0 && <ConsumersTable rows={listed} />}
      {data !== undefined && data.length >= MOST_CONSUMERS && (
        <Text>Only the newest {data.length} are shown here.</Text>
      )}
    </Page>
  );
}

const isNamed = ({ id, name, externalId, contact }: Consumer, wanted: string): boolean =>
  [id, name, externalId ?? '', contact ?? ''].some((text) => text.toLowerCase().includes(wanted));
