import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { deliveriesInWords } from '../../formats/count-in-words';
import { Time } from '../../formats/time';
import { DataTable, type Column } from '../../tables/data-table';
import type { Health, Trouble } from './consumer-health';
import { HealthBadge } from './health-badge';
import type { Consumer } from './use-all-consumers';

export interface ListedConsumer {
  readonly consumer: Consumer;
  readonly health: Health;
  /** What the queue knows of it, while it is in trouble. */
  readonly trouble?: Trouble;
}

const COLUMNS: readonly Column<ListedConsumer>[] = [
  {
    id: 'name',
    header: 'Consumer',
    cell: ({ consumer }) =>
      consumer.externalId === null ? consumer.name : `${consumer.name} (${consumer.externalId})`,
  },
  { id: 'health', header: 'Health', cell: ({ health }) => <HealthBadge health={health} /> },
  {
    id: 'why',
    header: 'Why',
    cell: ({ health }) =>
      health.kind === 'well' ? (
        '–'
      ) : (
        <div>
          {health.why}
          {health.since !== null && (
            <div>
              Since <Time at={health.since} />
            </div>
          )}
        </div>
      ),
  },
  {
    id: 'failures',
    header: 'Failures in a row',
    cell: ({ consumer }) => consumer.failuresInARow,
  },
  { id: 'backlog', header: 'Waiting', cell: (row) => <Backlog {...row} /> },
  { id: 'contact', header: 'Call', cell: ({ consumer }) => consumer.contact ?? 'nobody is named' },
];

/** Consumers with how they stand. */
export function ConsumersTable({ rows }: { rows: ListedConsumer[] }) {
  return (
    <DataTable
      caption="Consumers"
      columns={COLUMNS}
      rows={rows}
      rowId={({ consumer }) => consumer.id}
      rowLink={({ consumer }) => `/consumers/${consumer.id}`}
    />
  );
}

/** The queue counts the backlogs of those in trouble only. */
function Backlog({ consumer, trouble }: ListedConsumer) {
  if (trouble === undefined) return '–';
  return (
    <Anchor
      inherit
      component={Link}
      to={`/deliveries?${new URLSearchParams({ consumerId: consumer.id }).toString()}`}
    >
      {deliveriesInWords(trouble.backlog, trouble.backlogIsCapped)}
    </Anchor>
  );
}
