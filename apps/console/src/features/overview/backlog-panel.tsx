import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { Schema } from '../../api/schema';
import { countInWords } from '../../formats/count-in-words';
import { HOLDS } from '../../formats/hold-in-words';
import { STATES } from '../../formats/state-badge';
import { Time } from '../../formats/time';
import { DataTable, type Column } from '../../tables/data-table';
import { deliveriesPath } from '../deliveries/delivery-filters';

type QueueState = Schema<'QueueStateDto'>;

const COLUMNS: readonly Column<QueueState>[] = [
  { id: 'state', header: 'State', cell: (row) => nameOf(row) },
  { id: 'count', header: 'Deliveries', cell: (row) => countInWords(row.count, row.countIsCapped) },
  {
    id: 'oldest',
    header: 'Oldest',
    cell: ({ oldestDueAt }) => <Time at={oldestDueAt} />,
  },
  {
    id: 'meaning',
    header: 'What it means',
    cell: ({ state, holdReason }) =>
      holdReason === null
        ? `${STATES[state].meaning}.`
        : `${HOLDS[holdReason].why} Goes on when: ${HOLDS[holdReason].endsWhen}`,
  },
];

/** Everything that is not finished, by state and by what holds it. */
export function BacklogPanel({ states }: { states: QueueState[] }) {
  const total = states.reduce((sum, { count }) => sum + count, 0);
  const isCapped = states.some(({ countIsCapped }) => countIsCapped);
  // Nothing moves up and down: always all of them, in the api's order.
  return (
    <Stack component="section" aria-labelledby="backlog" gap="sm">
      <Title order={2} size="h3" id="backlog">
        What is still to be delivered: {countInWords(total, isCapped)}
      </Title>
      <OldestDue states={states} />
      <DataTable
        caption="Pending deliveries by state and reason"
        columns={COLUMNS}
        rows={states}
        rowId={({ state, holdReason }) => `${state} ${holdReason ?? ''}`}
        rowLink={({ state, holdReason }) => deliveriesPath(holdReason === null ? { state } : { holdReason })}
      />
    </Stack>
  );
}

function OldestDue({ states }: { states: readonly QueueState[] }) {
  const due = states.find(({ state }) => state === 'queued');
  if (due?.oldestDueAt == null) {
    return <Text>Nothing that could go out is late.</Text>;
  }
  return (
    <Text>
      The oldest that could go out was due <Time at={due.oldestDueAt} />.{' '}
      <Anchor component={Link} to={deliveriesPath({ state: 'queued' })}>
        See what is queued
      </Anchor>
    </Text>
  );
}

const nameOf = ({ state, holdReason }: QueueState): string =>
  holdReason === null
    ? STATES[state].label
    : `${STATES[state].label}: ${HOLDS[holdReason].label.toLowerCase()}`;
