import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../../api/answer-of';
import { api } from '../../../api/client';
import { ProblemAlert } from '../../../feedback/problem-alert';
import { SecretOnce } from '../../../feedback/secret-once';
import { MomentField } from '../../../formats/moment-field';
import { fieldFaults } from '../consumer-form/field-faults';
import type { Consumer } from '../use-all-consumers';

interface CreateKeyDialogProps {
  consumer: Consumer;
  opened: boolean;
  onClose: () => void;
}

/** Makes a key for a consumer and shows it once. */
export function CreateKeyDialog({ consumer, opened, onClose }: CreateKeyDialogProps) {
  const [key, setKey] = useState<string | null>(null);
  const close = (): void => {
    setKey(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={`A key for ${consumer.name}`}
      closeOnClickOutside={false}
      closeOnEscape={key === null}
      withCloseButton={key === null}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {opened && key === null && <CreateKeyForm consumer={consumer} onCreated={setKey} />}
      {key !== null && (
        <Stack>
          <SecretOnce what="API key" value={key}>
            Copy it and hand it to the customer now, by a way that you trust.
          </SecretOnce>
          <Group justify="flex-end">
            <Button onClick={close}>Done, I have kept the key</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function CreateKeyForm(props: { consumer: Consumer; onCreated: (key: string) => void }) {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { name: '', expiresAt: '' },
    validate: { name: (name) => (name.trim() === '' ? 'Give it a name' : null) },
  });
  const creating = useMutation({
    mutationFn: ({ name, expiresAt }: { name: string; expiresAt: string }) =>
      answerOf(
        api.POST('/v1/consumers/{id}/keys', {
          params: { path: { id: props.consumer.id } },
          body: { name, ...(expiresAt === '' ? {} : { expiresAt }) },
        }),
      ),
    onSuccess: async ({ key }) => {
      props.onCreated(key);
      await client.invalidateQueries();
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => creating.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description="Whose key it is; it stands in the audit log"
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <MomentField
          label="Ends"
          description="Leave empty: never expires"
          {...form.getInputProps('expiresAt')}
          value={form.getValues().expiresAt}
        />
        {creating.error !== null && <ProblemAlert error={creating.error} title="No key was made" />}
        <Group justify="flex-end">
          <Button type="submit" loading={creating.isPending}>
            Make the key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
