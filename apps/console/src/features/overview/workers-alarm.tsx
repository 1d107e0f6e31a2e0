import { Alert, Text } from '@mantine/core';
import { IconUrgent } from '@tabler/icons-react';
import type { Schema } from '../../api/schema';

/** Nothing is sent without a worker; says so above everything else. */
export function WorkersAlarm({ workers }: { workers: readonly Schema<'QueueWorkerDto'>[] }) {
  if (workers.length > 0) return null;
  return (
    <Alert
      color="red"
      variant="filled"
      role="alert"
      icon={<IconUrgent />}
      title="No worker is alive: nothing is sent"
    >
      <Text size="sm">
        Status changes are still accepted and nothing is lost, but no notification goes out. No worker has
        been seen for 15 seconds. Start one (npm run start:worker, or restart the worker’s deployment). If
        workers run, look at their logs: they may not reach PostgreSQL.
      </Text>
    </Alert>
  );
}
