import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ProblemAlert } from './problem-alert';

interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, and whether it can be undone. */
  effect: string;
  /** The verb of the button. */
  confirm: string;
  /** Does it; the dialog closes when it succeeds, and shows the problem when it fails. */
  onConfirm: () => Promise<unknown>;
}

/** Asks once more, for what cannot be undone and for which the api keeps no reason. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      {opened && <Confirmation {...props} />}
    </Modal>
  );
}

function Confirmation({ effect, confirm, onConfirm, onClose }: ConfirmDialogProps) {
  const action = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Stack>
      <Text>{effect}</Text>
      {action.error !== null && <ProblemAlert error={action.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red.9" onClick={() => action.mutate()} loading={action.isPending}>
          {confirm}
        </Button>
      </Group>
    </Stack>
  );
}
