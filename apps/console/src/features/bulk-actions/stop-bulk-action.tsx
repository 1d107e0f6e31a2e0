import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ReasonDialog } from '../../feedback/reason-dialog';
import { BULK_KINDS, type BulkAction } from './bulk-words';
import { useStopBulkAction } from './use-stop-bulk-action';

/** The button that stops a running bulk action. */
export function StopBulkAction({ action }: { action: BulkAction }) {
  const [opened, dialog] = useDisclosure(false);
  const stop = useStopBulkAction();
  const { verb, past } = BULK_KINDS[action.action];
  return (
    <>
      {action.state === 'running' && (
        <Button color="red.9" onClick={dialog.open}>
          Stop
        </Button>
      )}
      <ReasonDialog
        opened={opened}
        onClose={dialog.close}
        title={`Stop this ${verb.toLowerCase()}`}
        effect={`What was ${past.toLowerCase()} already stays so; the rest is left as it is. A stopped action cannot go on; a new one can be started for what is left.`}
        confirm="Stop it"
        danger
        onConfirm={(reason) => stop.mutateAsync({ id: action.id, reason })}
      />
    </>
  );
}
