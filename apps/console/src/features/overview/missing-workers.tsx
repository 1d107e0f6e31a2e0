import { Alert, Text } from '@mantine/core';
import { IconServerOff } from '@tabler/icons-react';
import type { Schema } from '../../api';
import { Age } from '../../formats';

/** The workers that ended without a stop, or cannot reach PostgreSQL; nothing when there is none. */
export function MissingWorkers({ missingWorkers, workers }: Schema<'OverviewDto'>) {
  if (missingWorkers.length === 0) return null;
  const isOne = missingWorkers.length === 1;
  return (
    <Alert
      color="yellow"
      icon={<IconServerOff />}
      title={isOne ? 'A worker is missing' : `${String(missingWorkers.length)} workers are missing`}
    >
      {missingWorkers.map(({ workerId, host, pid, lastSeenAt }) => (
        <Text key={workerId} size="sm">
          {host}, process {pid}: silent <Age at={lastSeenAt} />.
        </Text>
      ))}
      <Text size="sm">
        {isOne
          ? 'It was killed, is suspended, or cannot reach PostgreSQL.'
          : 'They were killed, are suspended, or cannot reach PostgreSQL.'}{' '}
        {workers.length > 0 && 'The other workers send its deliveries. '}
        Check on its host: does the process run, what does its path /readyz answer, and what does its log say?
        A worker that was replaced disappears from here after an hour.
      </Text>
    </Alert>
  );
}
