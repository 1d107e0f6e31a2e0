import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconQuestionMark } from '@tabler/icons-react';
import type { Schema } from '../../api';
import { countInWords, type Look, Time, ToneBadge } from '../../formats';
import { Section } from '../../page/section';
import { type Column, DataTable } from '../../tables';

const COLUMNS: readonly Column<Schema<'QueueWorkerDto'>>[] = [
  { header: 'Worker', cell: ({ host, pid }) => `${host}, process ${String(pid)}` },
  {
    header: 'Sending now',
    cell: ({ sending, concurrency }) => `${String(sending)} of at most ${String(concurrency)}`,
  },
  { header: 'Consumers served', cell: ({ sessions }) => String(sessions), isNumber: true },
  { header: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  { header: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
];

const AGREEMENT: Readonly<Record<'yes' | 'no' | 'unknown', Look>> = {
  yes: { label: 'Queue and database agree', tone: 'good', icon: IconCircleCheck },
  no: { label: 'Queue and database differ', tone: 'bad', icon: IconAlertTriangle },
  unknown: { label: 'Queue and database: unknown', tone: 'waiting', icon: IconQuestionMark },
};

/** The workers, and whether the queue holds a job for each consumer that needs one. */
export function SystemPanel({ workers, agreement }: Schema<'OverviewDto'>) {
  const { agrees, detail, queue, database } = agreement;
  return (
    <Section title="System">
      <Text component="div" size="sm">
        <ToneBadge {...AGREEMENT[agrees === null ? 'unknown' : agrees ? 'yes' : 'no']} /> {detail} Overdue
        consumers: {countInWords(database.overdueConsumers)}.
        {queue !== null &&
          ` Jobs: ${countInWords(queue.waiting)} waiting, ${countInWords(queue.active)} active, ${countInWords(queue.delayed)} timers.`}
        {agrees === false && ' If it continues for a minute, see the logs of the workers.'}
      </Text>
      {workers.length > 0 && (
        <DataTable
          caption="Workers alive"
          columns={COLUMNS}
          rows={workers}
          rowId={({ workerId }) => workerId}
        />
      )}
    </Section>
  );
}
