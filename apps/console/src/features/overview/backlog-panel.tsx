import { Text } from '@mantine/core';
import type { Schema } from '../../api';
import { countInWords, drainInWords, labelOf, meaningOf, Time } from '../../formats';
import { Section } from '../../page/section';
import { type Column, DataTable } from '../../tables';
import { deliveriesPath } from '../delivery-filter/delivery-filters';

const COLUMNS: readonly Column<Schema<'QueueStateDto'>>[] = [
  { header: 'State', cell: labelOf },
  { header: 'Deliveries', cell: (row) => countInWords(row.count, row.countIsCapped), isNumber: true },
  { header: 'Oldest since', cell: ({ oldestDueAt }) => <Time at={oldestDueAt} /> },
  { header: 'Meaning', cell: meaningOf },
];

/** All waiting deliveries by state and hold reason, and the rates of arrival and delivery. */
export function BacklogPanel({ states, backlog, rates }: Schema<'OverviewDto'>) {
  const { waiting, inPerMinute, outPerMinute } = backlog;
  return (
    <Section title={`Waiting deliveries: ${countInWords(waiting)}`} id="waiting">
      <Text size="sm">
        In the last 5 minutes, per minute: {countInWords(inPerMinute)} deliveries accepted and{' '}
        {countInWords(outPerMinute)} finished, {countInWords(rates.acceptedPerMinute)} events accepted,{' '}
        {countInWords(rates.failedPerMinute)} attempts failed. {drainInWords(backlog)}
      </Text>
      <DataTable
        caption="Waiting deliveries by state and reason"
        columns={COLUMNS}
        rows={states}
        rowId={({ state, holdReason }) => `${state} ${holdReason ?? ''}`}
        rowLink={({ state, holdReason }) => deliveriesPath(holdReason === null ? { state } : { holdReason })}
      />
    </Section>
  );
}
