import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../../api';
import { ProblemAlert, StoredSecret, fieldFaults } from '../../../feedback';
import { MomentField } from '../../../formats';

/** The button that creates a link and shows it once. */
export function CreateSignInLink({ consumerId }: { consumerId: string }) {
  const [opened, dialog] = useDisclosure(false);
  const [url, setUrl] = useState<string | null>(null);
  const close = (): void => {
    setUrl(null);
    dialog.close();
  };
  return (
    <>
      <Group>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
          Create link
        </Button>
      </Group>
      <Modal
        opened={opened}
        onClose={close}
        title={url === null ? 'Create a sign-in link' : 'The link is created'}
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={url === null}
        withCloseButton={url === null}
      >
        {opened && url === null && <LinkForm consumerId={consumerId} onCreated={setUrl} onCancel={close} />}
        {url !== null && (
          // Without PUBLIC_URL the answer is a path of this console.
          <StoredSecret what="Sign-in link" value={new URL(url, window.location.origin).href} onDone={close}>
            Copy it now, and send it over a channel on which you know the person.
          </StoredSecret>
        )}
      </Modal>
    </>
  );
}

interface LinkFormProps {
  consumerId: string;
  onCreated: (url: string) => void;
  onCancel: () => void;
}

function LinkForm({ consumerId: id, onCreated, onCancel }: LinkFormProps) {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { name: '', expiresAt: '' },
    validate: { name: (name) => (name.trim() === '' ? 'Enter the person’s name or mail address' : null) },
  });
  const creating = useMutation({
    mutationFn: ({ name, expiresAt }: typeof form.values) =>
      answerOf(
        api.POST('/v1/consumers/{id}/sign-in-links', {
          params: { path: { id } },
          body: { name: name.trim(), ...(expiresAt === '' ? {} : { expiresAt }) },
        }),
      ),
    // The link is not kept in memory after it was shown.
    gcTime: 0,
    onSuccess: async ({ url }) => {
      onCreated(url);
      await client.invalidateQueries();
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => creating.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label="Person"
          description="Name or mail address. The audit log shows it for everything that the person does"
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <MomentField
          label="Can be used until"
          description="Empty: for 24 hours. At most 7 days"
          {...form.getInputProps('expiresAt')}
          value={form.getValues().expiresAt}
        />
        {creating.error !== null && <ProblemAlert error={creating.error} title="No link was created" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Back
          </Button>
          <Button type="submit" loading={creating.isPending}>
            Create link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
