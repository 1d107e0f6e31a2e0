import { Stack, Text, Title } from '@mantine/core';
import type { Schema } from '../../api';
import { countInWords } from '../../formats/count-in-words';
import { labelOf, meaningOf } from '../../formats/waiting-in-words';
import { Time } from '../../formats/time';
import { DataTable, type Column } from '../../tables/data-table';
import { trendInWords } from '../consumers/health-words';
import { deliveriesPath } from '../deliveries/delivery-filters';

type QueueState = Schema<'QueueStateDto'>;

const COLUMNS: readonly Column<QueueState>[] = [
  { header: 'State', cell: labelOf },
  { header: 'Deliveries', cell: (row) => countInWords(row.count, row.countIsCapped) },
  { header: 'Oldest', cell: ({ oldestDueAt }) => <Time at={oldestDueAt} /> },
  { header: 'Meaning', cell: meaningOf },
];

/** Everything that waits, by state and hold reason, and how fast it comes and goes. */
export function BacklogPanel({
  states,
  backlog,
  rates,
}: Pick<Schema<'QueueDto'>, 'states' | 'backlog' | 'rates'>) {
  const { waiting, inPerMinute, outPerMinute } = backlog;
  return (
    <Stack component="section" aria-labelledby="waiting" gap="xs">
      <Title order={2} size="h4" id="waiting" tabIndex={-1}>
        Waiting deliveries: {countInWords(waiting)}
      </Title>
      <Text size="sm">
        Last 5 min: {countInWords(inPerMinute)}/min in, {countInWords(outPerMinute)}/min out
        {waiting > 0 && `, ${trendInWords(backlog)}`}; {countInWords(rates.acceptedPerMinute)} events/min
        accepted, {countInWords(rates.failedPerMinute)} attempts/min failed.
      </Text>
      <DataTable
        caption="Waiting deliveries by state and reason"
        columns={COLUMNS}
        rows={states}
        rowId={({ state, holdReason }) => `${state} ${holdReason ?? ''}`}
        rowLink={({ state, holdReason }) => deliveriesPath(holdReason === null ? { state } : { holdReason })}
      />
    </Stack>
  );
}
