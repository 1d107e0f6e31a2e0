import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconPlayerPlay,
  IconPlayerStop,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../api';
import { ReasonDialog } from '../../feedback';
import { ToneBadge } from '../../formats';
import { useMay } from '../../signed-in/use-me';
import { BULK_ACTIONS_KEY } from './bulk-queries';
import { BULK_KINDS, doneInWords, percentOf, type BulkAction } from './bulk-words';

const LOOKS = {
  running: { label: 'Running', tone: 'busy', icon: IconPlayerPlay, color: 'blue.8' },
  finished: { label: 'Finished', tone: 'good', icon: IconCircleCheck, color: 'green.8' },
  stopped: { label: 'Stopped', tone: 'quiet', icon: IconPlayerStop, color: 'yellow.8' },
  failed: { label: 'Failed', tone: 'bad', icon: IconCircleX, color: 'red.9' },
} as const;

export const BulkStateBadge = ({ state }: { state: BulkAction['state'] }) => <ToneBadge {...LOOKS[state]} />;

/** The progress of a bulk action as a bar and as text. */
export function BulkProgress({ action }: { action: BulkAction }) {
  const percent = percentOf(action);
  const { verb } = BULK_KINDS[action.action];
  return (
    <Stack gap={4}>
      {percent !== null && (
        <Progress.Root size="lg">
          <Progress.Section
            value={percent}
            color={LOOKS[action.state].color}
            aria-label={`${verb}: ${String(percent)}%`}
          />
        </Progress.Root>
      )}
      <Text size="sm">
        {doneInWords(action)}
        {percent !== null && action.state === 'running' && ` (${String(percent)}%)`}
      </Text>
    </Stack>
  );
}

const WAIT =
  'Wait a few minutes: the step is repeated, and after ten consecutive failures the action ends. If you cannot wait, stop it.';
const START_AGAIN =
  'Start a new one with a narrower filter: one consumer, and a shorter time from and before. If that fails too, send the words above and this screen’s address to the operators of the dispatcher.';

/** Why the last step of a bulk action failed, and what to do. */
export function BulkFault({ action: { state, lastFault } }: { action: BulkAction }) {
  if (lastFault === null) return null;
  const hasEnded = state === 'failed';
  return (
    <Alert
      color={hasEnded ? 'red' : 'yellow'}
      icon={<IconAlertTriangle />}
      title={hasEnded ? 'Ended after ten consecutive failures' : 'The last step failed'}
    >
      <Text size="sm">{lastFault} Nothing of that step was done; what was done before stays done.</Text>
      <Text size="sm">
        <strong>What to do:</strong> {state === 'running' && WAIT}{' '}
        {state === 'finished' ? 'Nothing: the bulk action has finished.' : START_AGAIN}
      </Text>
    </Alert>
  );
}

/** The button that stops a running bulk action after its current step, for the role oncall. */
export function StopBulkAction({ action }: { action: BulkAction }) {
  const [opened, dialog] = useDisclosure(false);
  const client = useQueryClient();
  const stop = async (reason: string): Promise<void> => {
    const params = { path: { id: action.id } };
    await answerOf(api.POST('/v1/bulk-actions/{id}/stop', { params, body: { reason } }));
    await client.invalidateQueries({ queryKey: BULK_ACTIONS_KEY });
  };
  const mayStop = useMay('oncall');
  const { verb, past } = BULK_KINDS[action.action];
  return (
    <>
      {mayStop && action.state === 'running' && (
        <Button color="red.9" onClick={dialog.open}>
          Stop
        </Button>
      )}
      <ReasonDialog
        opened={opened}
        onClose={dialog.close}
        title={`Stop this bulk ${verb.toLowerCase()}`}
        effect={`Deliveries that were ${past} already stay so; the others are left as they are. A stopped action cannot be continued; a new one can be started for the others.`}
        confirm={`Stop this ${verb.toLowerCase()}`}
        danger
        onConfirm={stop}
      />
    </>
  );
}
