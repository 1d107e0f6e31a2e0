import { Button, Group, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { answerOf, api, doneBy } from '../../api';
import { ConfirmDialog, useCommand } from '../../feedback';
import { ChannelForm } from './channel-form';
import { changeOf, valuesOf } from './channel-values';
import type { Channel } from './channel-words';

/** Test, edit and remove a channel, for operators. */
export function ChannelActions({ channel }: { channel: Channel }) {
  const [isEditing, editing] = useDisclosure(false);
  const [isRemoving, removing] = useDisclosure(false);
  const run = useCommand();
  const { name } = channel;
  const params = { path: { id: channel.id } };
  const size = 'compact-sm';
  return (
    <Group gap="xs">
      <TestButton channel={channel} />
      <Button size={size} variant="default" aria-label={`Edit ${name}`} onClick={editing.open}>
        Edit
      </Button>
      <Button size={size} variant="default" aria-label={`Remove ${name}`} onClick={removing.open}>
        Remove
      </Button>
      <Modal opened={isEditing} onClose={editing.close} title={`Edit “${name}”`} size="lg">
        {isEditing && (
          <ChannelForm
            initial={valuesOf(channel)}
            isNew={false}
            save={(values) => answerOf(api.PATCH('/v1/channels/{id}', { params, body: changeOf(values) }))}
            onSaved={editing.close}
            onCancel={editing.close}
          />
        )}
      </Modal>
      <ConfirmDialog
        opened={isRemoving}
        onClose={removing.close}
        title={`Remove “${name}”`}
        effect="It receives nothing any more, also not the messages that wait. Its URL and keys are erased."
        confirm="Remove"
        onConfirm={() =>
          run(
            doneBy(api.DELETE('/v1/channels/{id}', { params })),
            'Removed',
            `The channel ${name} is removed.`,
          )
        }
      />
    </Group>
  );
}

/** Sends a test message at once, and shows what the receiver answered. */
function TestButton({ channel: { id, name } }: { channel: Channel }) {
  const test = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/channels/{id}/test', { params: { path: { id } } })),
    onSuccess: ({ isSent, fault }) =>
      notifications.show(
        isSent
          ? { color: 'green', title: 'Test message sent', message: `${name} accepted it.` }
          : {
              color: 'red',
              autoClose: 10_000,
              title: `${name} did not accept the test message`,
              message: fault,
            },
      ),
    onError: ({ message }) =>
      notifications.show({ color: 'red', autoClose: 10_000, title: 'No test message was sent', message }),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Send a test message to ${name}`}
      loading={test.isPending}
      onClick={() => test.mutate()}
    >
      Test
    </Button>
  );
}
