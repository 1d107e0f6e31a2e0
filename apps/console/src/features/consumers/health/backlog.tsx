import { Text, Title } from '@mantine/core';
import { ProblemAlert } from '../../../feedback/problem-alert';
import { LoadingState } from '../../../feedback/loading-state';
import { countInWords, deliveriesInWords } from '../../../formats/count-in-words';
import { HOLDS } from '../../../formats/hold-in-words';
import { StateBadge, STATES } from '../../../formats/state-badge';
import { DataTable, type Column } from '../../../tables/data-table';
import type { Trouble } from '../consumer-health';
import type { Consumer } from '../use-all-consumers';
import { useBacklog, type Waiting } from './use-backlog';

const COLUMNS: readonly Column<Waiting>[] = [
  {
    id: 'count',
    header: 'Deliveries',
    cell: ({ count, isCapped }) => countInWords(count, isCapped),
  },
  { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    id: 'why',
    header: 'What they wait for',
    cell: ({ state, holdReason }) => {
      if (holdReason === null) return STATES[state].meaning;
      const { label, why, endsWhen } = HOLDS[holdReason];
      return (
        <div>
          <strong>{label}.</strong> {why} <strong>Goes on when:</strong> {endsWhen}
        </div>
      );
    },
  },
];

/** What waits for this consumer and why, each leading to the deliveries themselves. */
export function Backlog({ consumer, trouble }: { consumer: Consumer; trouble?: Trouble }) {
  const { data, error, refetch } = useBacklog(consumer.id);
  const link = ({ state, holdReason }: Waiting): string =>
    `/deliveries?${new URLSearchParams({ consumerId: consumer.id, state, ...(holdReason === null ? {} : { holdReason }) }).toString()}`;
  return (
    <section aria-label="Backlog">
      <Title order={2} size="h4" mb="xs">
        What waits for it
      </Title>
      {trouble !== undefined && (
        <Text>{deliveriesInWords(trouble.backlog, trouble.backlogIsCapped)} pending altogether.</Text>
      )}
      {data === undefined && error === null && <LoadingState what="the backlog" />}
      {error !== null && (
        <ProblemAlert error={error} title="The backlog cannot be read" onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && (
        <Text>Nothing: all that was meant for it has been delivered or called off.</Text>
      )}
      {data !== undefined && data.length > 0 && (
        <DataTable
          caption="Pending and dead deliveries of this consumer"
          columns={COLUMNS}
          rows={data}
          rowId={({ state, holdReason }) => `${state} ${holdReason ?? ''}`}
          rowLink={link}
        />
      )}
    </section>
  );
}
