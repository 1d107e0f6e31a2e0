import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { BulkAction } from './bulk-words';

/** Why a bulk action does not come on, and what to do; nothing while it does. */
export function BulkFault({ action: { state, lastFault } }: { action: BulkAction }) {
  if (lastFault === null) return null;
  const hasEnded = state === 'failed';
  return (
    <Alert
      color={hasEnded ? 'red' : 'yellow'}
      variant="outline"
      icon={<IconAlertTriangle />}
      title={hasEnded ? 'It failed ten times in a row and has ended' : 'Its last step failed'}
    >
      <Text size="sm">{lastFault} Nothing of that step was done; what was done before stays done.</Text>
      <Text size="sm">
        <strong>What to do:</strong> {ADVICE[state]}
      </Text>
    </Alert>
  );
}

const START_AGAIN =
  'Start a new one with a narrower filter: one consumer, and a shorter time from and before. If that fails too, hand the words above and this screen’s address to whoever runs the dispatcher.';

const ADVICE: Readonly<Record<BulkAction['state'], string>> = {
  running: `Wait a few minutes: it is tried again by itself, and ends after ten failures in a row. If it ends so, or you cannot wait, stop it. ${START_AGAIN}`,
  finished: 'Nothing: it has finished all the same.',
  stopped: START_AGAIN,
  failed: START_AGAIN,
};
