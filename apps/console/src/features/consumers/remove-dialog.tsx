import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { useNavigate } from 'react-router';
import { ProblemAlert } from '../../feedback/problem-alert';
import type { Consumer } from './use-all-consumers';
import { useConsumerActions } from './use-consumer-actions';

interface RemoveDialogProps {
  consumer: Consumer;
  opened: boolean;
  onClose: () => void;
}

/** Removes a consumer, after its name was typed: there is no way back. */
export function RemoveDialog(props: RemoveDialogProps) {
  const { consumer, opened, onClose } = props;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={`Remove ${consumer.name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {opened && <RemoveForm {...props} />}
    </Modal>
  );
}

function RemoveForm({ consumer, onClose }: RemoveDialogProps) {
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const { remove } = useConsumerActions(consumer);
  const removal = useMutation({ mutationFn: remove, onSuccess: () => navigate('/consumers') });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    removal.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>
          Everything that is pending for it is cancelled, nothing more is delivered to it, and its credentials
          and keys end. This cannot be undone. To stop sending for a while, pause it instead.
        </Text>
        <TextInput
          label={`Type the consumer’s name: ${consumer.name}`}
          data-autofocus
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {removal.error !== null && <ProblemAlert error={removal.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave it as it is
          </Button>
          <Button type="submit" color="red.9" disabled={typed !== consumer.name} loading={removal.isPending}>
            Remove {consumer.name}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
