import { Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconQuestionMark } from '@tabler/icons-react';
import type { Schema } from '../../api/schema';
import { Time } from '../../formats/time';
import { ToneBadge } from '../../formats/tone-badge';
import { DataTable, type Column } from '../../tables/data-table';

type Worker = Schema<'QueueWorkerDto'>;

const COLUMNS: readonly Column<Worker>[] = [
  { id: 'where', header: 'Worker', cell: ({ host, pid }) => `${host}, process ${String(pid)}` },
  {
    id: 'busy',
    header: 'Sending now',
    cell: ({ sending, concurrency }) => `${String(sending)} of at most ${String(concurrency)}`,
  },
  { id: 'sessions', header: 'Consumers served', cell: ({ sessions }) => String(sessions) },
  { id: 'seen', header: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  { id: 'started', header: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
];

interface MachineryPanelProps {
  workers: Worker[];
  agreement: Schema<'QueueAgreementDto'>;
}

/** Who does the sending, and whether the queue and the database tell the same. */
export function MachineryPanel({ workers, agreement }: MachineryPanelProps) {
  return (
    <Stack component="section" aria-labelledby="machinery" gap="sm">
      <Title order={2} size="h3" id="machinery">
        Machinery
      </Title>
      <Text component="div">
        <Agreement {...agreement} />
      </Text>
      {workers.length === 0 ? (
        <Text>No worker is alive; see the alarm at the top.</Text>
      ) : (
        <DataTable
          caption="Workers alive"
          columns={COLUMNS}
          rows={workers}
          rowId={({ workerId }) => workerId}
        />
      )}
    </Stack>
  );
}

function Agreement({ agrees, detail, queue, database }: Schema<'QueueAgreementDto'>) {
  const badge =
    agrees === null ? (
      <ToneBadge tone="waiting" icon={IconQuestionMark}>
        Queue and database: unknown
      </ToneBadge>
    ) : agrees ? (
      <ToneBadge tone="good" icon={IconCircleCheck}>
        Queue and database agree
      </ToneBadge>
    ) : (
      <ToneBadge tone="bad" icon={IconAlertTriangle}>
        Queue and database differ
      </ToneBadge>
    );
  return (
    <>
      {badge} {detail} In the database, consumers that are overdue: {database.overdueConsumers}
      {queue !== null &&
        `; in the queue, consumers that wait for a worker: ${String(queue.waiting)}, with a worker: ${String(queue.active)}, timers: ${String(queue.delayed)}`}
      .
      {agrees === false &&
        ' It is mended by itself within seconds; if it stays so for a minute, see the logs of the workers.'}
    </>
  );
}
